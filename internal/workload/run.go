package workload

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// Run is what the objects of a run share.
type Run struct {
	Spec v1alpha1.WorkloadArchitecturesSpec
	// Nodes is what is known of the cluster's nodes.
	Nodes Nodes
	// Answers has what is known of each image, by the text that names it.
	Answers map[string]Answer
	// Bundle says that the objects are a bundle that somebody publishes.
	Bundle bool
	// Operators is what the lock has of operators.
	Operators []v1alpha1.LockedOperator
	// Selectors are the node selectors of namespaces, by name. The cluster adds them to
	// each pod.
	Selectors map[string]NodeSelector
}

// NodeSelector is the node selector that the pods of a namespace get.
type NodeSelector struct {
	Labels map[string]string
	// FromScheduler says that it is the default of the cluster, because the namespace has
	// none of its own.
	FromScheduler bool
	// Annotation is the annotation of the namespace that has it.
	Annotation string
}

// Answer is what is known of an image.
type Answer struct {
	// Architectures is what the image has for Linux.
	Architectures arch.Set
	// Single says that the reference names the manifest of one image, and no index.
	Single bool
	// Ignored says that the image does not count.
	Ignored bool
	// Stated says that the configuration states the architectures, and no registry.
	Stated bool
	// Neutral says that the image is an operator bundle image. No node runs what is in it,
	// so it does not count either (multiarch-tuning-operator pkg/image/inspector.go).
	Neutral bool
	// Others has the architectures for other systems than Linux, by system, if Systems says
	// that they are known.
	Others  map[string]arch.Set
	Systems bool
	// Err says why nothing is known.
	Err error
	// Do says what to do about Err; "" for the usual.
	Do string
	// Missing has the architectures whose manifests the index lists and the registry does
	// not have. Then Err says the same in other words.
	Missing arch.Set
	// Host is the registry of the image, and Cause says in a few words why Err happened,
	// where other images of the host have the same cause; "" otherwise.
	Host, Cause string
	// LogIn is the registry that denies access, "" if none does.
	LogIn string
}

// Counts reports whether the architectures of the image matter to the pod or the operator
// that names it.
func (a Answer) Counts() bool { return !a.Ignored && (a.Err != nil || !a.Neutral) }

// writes reports whether node affinities are written.
func (r Run) writes() bool { return r.Spec.Mode == v1alpha1.WorkloadsAffinity }

// Writes reports whether something is written into an object.
func (r Run) Writes(o podspec.Object) bool {
	mode, _ := r.mode(o)
	return mode == v1alpha1.WorkloadsAffinity
}

// want returns what the PodSpec of a kind is to say.
func (r Run) want(architectures arch.Set, kind string) affinity.Want {
	w := affinity.Want{Architectures: architectures, Overwrite: r.Spec.Overwrite}
	switch r.Spec.OS {
	case v1alpha1.OSAlways:
		w.OS = true
	case v1alpha1.OSNever:
	default:
		w.OS = kind == "ClusterServiceVersion"
	}
	for _, p := range r.Spec.Preferred {
		w.Preferred = append(w.Preferred, affinity.Preference{Architecture: arch.NamedOne(p.Architecture), Weight: p.Weight})
	}
	return w
}

// limited returns the architectures that may be written.
func (r Run) limited(proven arch.Set) arch.Set {
	if limit := arch.Named(r.Spec.LimitTo...); len(limit) > 0 {
		proven = proven.Intersect(limit)
	}
	if all := r.Nodes.All(); r.Spec.RestrictToCluster && len(all) > 0 {
		proven = proven.Intersect(all)
	}
	return slices.Clone(proven)
}

// Images returns the texts that name images of an object's pods and count.
func (r Run) Images(o podspec.Object) []string {
	if mode, _ := r.mode(o); mode == v1alpha1.WorkloadsNone {
		return nil
	}
	var out []string
	for _, place := range podspec.Places(o, r.Options()) {
		p := &pod{Run: r, Place: place}
		if p.skipped() != "" {
			continue
		}
		for _, image := range place.Images() {
			if image.Unknown == "" && !image.Ephemeral {
				out = append(out, image.Reference)
			}
		}
	}
	return out
}
