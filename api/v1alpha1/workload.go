package v1alpha1

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// WorkloadArchitecturesKind is the kind of [WorkloadArchitectures].
const WorkloadArchitecturesKind = "WorkloadArchitectures"

// WorkloadArchitectures configures the changes to the pods of the input: their node
// affinity shall match the architectures of their images.
type WorkloadArchitectures struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	Spec       WorkloadArchitecturesSpec `json:"spec,omitempty"`
}

// WorkloadArchitecturesSpec configures the changes to pods. The zero value, after
// Default, is a complete configuration.
type WorkloadArchitecturesSpec struct {
	// What goldenarch does with pods. `--workloads` wins over it.
	Mode WorkloadMode `json:"mode,omitempty"`
	// The architectures of the nodes, for checks. Default: the node facts of the input.
	ClusterArchitectures []string `json:"clusterArchitectures,omitempty"`
	// The only architectures that goldenarch writes. Default: all.
	LimitTo []string `json:"limitTo,omitempty"`
	// Writes only architectures that the cluster has. A new node then needs a commit.
	RestrictToCluster bool `json:"restrictToCluster,omitempty"`
	// A pod with an image that nothing proves. Default: `Skip`, but `check` fails where
	// nothing of a pod is proven.
	Unresolved UnresolvedImage `json:"unresolved,omitempty"`
	// The architectures of such an image, where `unresolved` is `Use`.
	Use []string `json:"use,omitempty"`
	// Images that do not count: references, or repositories for all their tags and digests.
	IgnoreImages []string `json:"ignoreImages,omitempty"`
	// The architectures of images, by reference, instead of a query.
	ImageArchitectures map[string][]string `json:"imageArchitectures,omitempty"`
	// Architectures that the scheduler prefers. goldenarch writes those that all images of a
	// pod have, if there are two or more.
	Preferred []PreferredArchitecture `json:"preferred,omitempty"`
	// Where goldenarch writes `kubernetes.io/os In [linux]` beside the architecture.
	OS WorkloadOS `json:"os,omitempty"`
	// Which objects count. Default: all.
	Selectors WorkloadSelectors `json:"selectors,omitempty"`
	// Where other kinds have a PodSpec.
	AdditionalPaths []AdditionalPath `json:"additionalPaths,omitempty"`
	// Finds PodSpecs in objects of any other kind: a mapping with a list of `containers` that
	// have images.
	Discover bool `json:"discover,omitempty"`
	// Replaces what a person wrote about the architecture, with a warning.
	Overwrite bool `json:"overwrite,omitempty"`
	// As in a GoldenImages. See docs/olm.md.
	CSVLabels CSVLabels `json:"csvLabels,omitempty"`
	// With `csvLabels: Write`, also removes the labels that an image does not keep.
	Prune bool `json:"prune,omitempty"`
	// The architectures of operators, by package: Subscriptions and ClusterExtensions name no
	// images. Default: those in the lock. See docs/olm.md#the-architectures-of-an-operator.
	Operators map[string][]string `json:"operators,omitempty"`
	// Makes a node affinity in a Subscription or ClusterExtension that has none. It replaces
	// the one that the operator brings.
	Enforce bool `json:"enforce,omitempty"`
	// As in a GoldenImages.
	Inputs []string `json:"inputs,omitempty"`
	// As in a GoldenImages, which wins.
	Registry RegistrySpec `json:"registry,omitempty"`
	// As in a GoldenImages, which wins.
	Lock LockSpec `json:"lock,omitempty"`
	// As in a GoldenImages.
	Findings map[string]FindingSeverity `json:"findings,omitempty"`
}

// PreferredArchitecture is an architecture with its weight for the scheduler.
type PreferredArchitecture struct {
	// Each is there once.
	Architecture string `json:"architecture"`
	// From 1 to 100.
	Weight int `json:"weight"`
}

// WorkloadSelectors select objects. An empty list selects all objects. Each of the
// lists must select an object.
type WorkloadSelectors struct {
	// The kinds of objects that count. Default: all.
	Kinds []string `json:"kinds,omitempty"`
	// Their names. Default: all.
	Names []string `json:"names,omitempty"`
	// Their namespaces. Default: all.
	Namespaces []string `json:"namespaces,omitempty"`
	// Labels that they must have.
	Labels map[string]string `json:"labels,omitempty"`
}

// AdditionalPath says where objects of a kind have a PodSpec or a placement.
type AdditionalPath struct {
	// The API group, without a version. Default: the core group.
	Group string `json:"group,omitempty"`
	// The kind, such as `Rollout`.
	Kind string `json:"kind"`
	// The path, with `[]` behind a list: `spec.jobs[].template.spec`.
	Path string `json:"path"`
	// What is at the path. Default: `podSpec`.
	Shape PathShape `json:"shape,omitempty"`
}

// WorkloadMode says what goldenarch does with pods.
type WorkloadMode string

// Affinity writes node affinities and checks the result. Check only checks. None does neither.
const (
	WorkloadsAffinity WorkloadMode = "Affinity"
	WorkloadsCheck    WorkloadMode = "Check"
	WorkloadsNone     WorkloadMode = "None"
)

// UnresolvedImage says what goldenarch does with a pod if it does not know the
// architectures of one of its images.
type UnresolvedImage string

// Skip leaves the pod unchanged, with a warning. Error is an error. Use takes the architectures of
// the field use for the image, with a warning.
const (
	UnresolvedSkip  UnresolvedImage = "Skip"
	UnresolvedError UnresolvedImage = "Error"
	UnresolvedUse   UnresolvedImage = "Use"
)

// WorkloadOS says where goldenarch writes kubernetes.io/os.
type WorkloadOS string

// Auto writes it in ClusterServiceVersions, because operator-sdk reads only pairs of both.
const (
	OSAuto   WorkloadOS = "Auto"
	OSAlways WorkloadOS = "Always"
	OSNever  WorkloadOS = "Never"
)

// CSVLabels says what goldenarch does with the labels of a ClusterServiceVersion.
type CSVLabels string

// Off ignores the labels. Check reports labels that are wrong or missing. Write adds
// the missing ones.
const (
	CSVLabelsOff   CSVLabels = "Off"
	CSVLabelsCheck CSVLabels = "Check"
	CSVLabelsWrite CSVLabels = "Write"
)

// PathShape says what is at a path.
type PathShape string

// A podSpec has containers, nodeSelector and affinity. A placement has only the latter two,
// and goldenarch only checks it.
const (
	ShapePodSpec   PathShape = "podSpec"
	ShapePlacement PathShape = "placement"
)

// DecodeWorkloadArchitectures reads the configuration for pods from decoded JSON. The
// result has its defaults and is valid. If the object is invalid, the error is an
// [Errors] that lists every problem.
func DecodeWorkloadArchitectures(object map[string]any) (*WorkloadArchitectures, error) {
	out := &WorkloadArchitectures{}
	out.Spec.Registry.defaultNumbers()
	return decode(object, out, WorkloadArchitecturesKind, func(w *WorkloadArchitectures) Errors {
		w.Spec.defaultWords()
		return w.Spec.check()
	})
}

// Default sets the options that a user left out.
func (s *WorkloadArchitecturesSpec) Default() {
	s.Registry.defaultNumbers()
	s.defaultWords()
}

func (s *WorkloadArchitecturesSpec) defaultWords() {
	s.Mode = cmp.Or(s.Mode, WorkloadsAffinity)
	s.OS = cmp.Or(s.OS, OSAuto)
	s.CSVLabels = cmp.Or(s.CSVLabels, CSVLabelsCheck)
	for i := range s.AdditionalPaths {
		s.AdditionalPaths[i].Shape = cmp.Or(s.AdditionalPaths[i].Shape, ShapePodSpec)
	}
	s.Lock.Mode = cmp.Or(s.Lock.Mode, LockPrefer)
	s.Registry.defaultWords()
}

// Golden returns a complete GoldenImages configuration with the options that both kinds
// have.
func (s *WorkloadArchitecturesSpec) Golden() GoldenImagesSpec {
	out := GoldenImagesSpec{Inputs: s.Inputs, Registry: s.Registry, Lock: s.Lock}
	out.Default()
	return out
}

// Validate returns the problems of a spec that has its defaults, as [Errors].
func (s *WorkloadArchitecturesSpec) Validate() error { return s.check().orNil() }

func (s *WorkloadArchitecturesSpec) check() Errors {
	var errs Errors
	checkWord(&errs, "spec.mode", "mode", s.Mode, WorkloadsAffinity, WorkloadsCheck, WorkloadsNone)
	checkArchitectures(&errs, "spec.clusterArchitectures", s.ClusterArchitectures)
	checkArchitectures(&errs, "spec.limitTo", s.LimitTo)
	if s.Unresolved != "" { // it is left out: a run skips the pod, and a check fails
		checkWord(&errs, "spec.unresolved", "value", s.Unresolved, UnresolvedSkip, UnresolvedError, UnresolvedUse)
	}
	checkArchitectures(&errs, "spec.use", s.Use)
	switch {
	case s.Unresolved == UnresolvedUse && len(s.Use) == 0:
		errs.add("spec.use", "is empty, expected the architectures for images of which nothing is known, because spec.unresolved is Use")
	case s.Unresolved != UnresolvedUse && len(s.Use) > 0:
		errs.add("spec.use", "has no effect while spec.unresolved is %q, expected \"Use\"", cmp.Or(s.Unresolved, UnresolvedSkip))
	}
	for i, image := range s.IgnoreImages {
		if strings.TrimSpace(image) == "" {
			errs.add(fmt.Sprintf("spec.ignoreImages[%d]", i), "is empty, expected a reference or a repository")
		}
	}
	for _, image := range sortedKeys(s.ImageArchitectures) {
		at := fieldpath.Join("spec.imageArchitectures", image)
		if len(s.ImageArchitectures[image]) == 0 {
			errs.add(at, "is empty, expected the architectures of the image")
		}
		checkArchitectures(&errs, at, s.ImageArchitectures[image])
	}
	checkPreferred(&errs, s.Preferred)
	checkWord(&errs, "spec.os", "value", s.OS, OSAuto, OSAlways, OSNever)
	checkPaths(&errs, s.AdditionalPaths)
	checkWord(&errs, "spec.csvLabels", "value", s.CSVLabels, CSVLabelsOff, CSVLabelsCheck, CSVLabelsWrite)
	for _, name := range sortedKeys(s.Operators) {
		at := fieldpath.Join("spec.operators", name)
		if len(s.Operators[name]) == 0 {
			errs.add(at, "is empty, expected the architectures of the operator")
		}
		checkArchitectures(&errs, at, s.Operators[name])
	}
	checkInputs(&errs, s.Inputs)
	checkFindings(&errs, s.Findings)
	checkRegistry(&errs, s.Registry)
	checkWord(&errs, "spec.lock.mode", "mode", s.Lock.Mode, LockPrefer, LockRequire, LockIgnore)
	return errs
}

func checkPreferred(errs *Errors, list []PreferredArchitecture) {
	var seen []string
	for i, p := range list {
		at := fmt.Sprintf("spec.preferred[%d]", i)
		checkArchitectures(errs, at+".architecture", []string{p.Architecture})
		if p.Weight < 1 || p.Weight > 100 {
			errs.add(at+".weight", "is %d, expected 1 to 100", p.Weight)
		}
		if slices.Contains(seen, p.Architecture) {
			errs.add(at+".architecture", "duplicate name %q", p.Architecture)
		}
		seen = append(seen, p.Architecture)
	}
}

func checkPaths(errs *Errors, list []AdditionalPath) {
	for i, p := range list {
		at := fmt.Sprintf("spec.additionalPaths[%d]", i)
		if p.Kind == "" {
			errs.add(at+".kind", "is empty, expected the kind of objects, such as Rollout")
		}
		if strings.Contains(p.Group, "/") {
			errs.add(at+".group", "is %q, expected the group without a version", p.Group)
		}
		for step := range strings.SplitSeq(p.Path, ".") {
			if key, _ := strings.CutSuffix(step, "[]"); key == "" || strings.ContainsAny(key, "[]/ ") {
				errs.add(at+".path", "is %q, expected fields separated by dots, with [] behind a list: spec.jobs[].template.spec", p.Path)
				break
			}
		}
		checkWord(errs, at+".shape", "shape", p.Shape, ShapePodSpec, ShapePlacement)
	}
}
