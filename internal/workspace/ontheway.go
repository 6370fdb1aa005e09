package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/flux"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// changesOn reports what on the way changes what is checked of a place, or of files alone (""), and the changes in Git that do not reach
// a CR. What is the same for several objects is reported for the first, and what both commits of an untrusted input have for the
// checked one.
func (w *Delivery) changesOn(place string, all []repo.Checked) finding.List {
	var out finding.List
	for _, o := range all {
		by, changes := repo.ChangesAround(o)
		out = append(out, changed(by, changes, o)...)
		said := map[string]bool{}
		for _, r := range w.toObject(place, o) {
			found := changed(r.By, r.ChangesOf(o), o)
			if !o.Machine && !o.Pods {
				found = append(found, hidden(r, o.Object)...)
			}
			by := r.By
			if r.OfBase {
				by = strings.TrimPrefix(r.By, w.untrusted.Ref+":")
				for i := range found {
					found[i].Do += ". If the checked commit corrects that, a trusted run decides"
				}
			}
			if !said[by] {
				out = append(out, found...)
			}
			said[by] = said[by] || len(found) > 0
		}
	}
	return firstOfEach(out)
}

// changedByPolicies reports what PolicyGenerators change in what they wrap.
func changedByPolicies(carriers wrapper.Carriers, all []repo.Checked) finding.List {
	var out finding.List
	for _, o := range all {
		if o.File == "" {
			continue
		}
		for _, one := range carriers(o.File) {
			out = append(out, changed(one.By, repo.ChangesBy(one, o), o)...)
		}
	}
	return firstOfEach(out)
}

// changedBySyncSets reports what SyncSets of hive patch of the objects that a check judges, those that they hold and others (hive
// apis/hive/v1/syncset_types.go: SyncObjectPatch).
func changedBySyncSets(items []*yaml.RNode, all []repo.Checked) finding.List {
	var out finding.List
	for _, set := range object.All(items) {
		if !wrapper.IsSyncSet(set.At.APIVersion, set.At.Kind) {
			continue
		}
		for i, patch := range yamlnode.Elements(set.Node.YNode(), "spec", "patches") {
			kind, name, namespace := yamlnode.Text(patch, "kind"), yamlnode.Text(patch, "name"), yamlnode.Text(patch, "namespace")
			for _, o := range all {
				if o.Kind == kind && o.Name == name && (namespace == "" || o.Namespace == "" || o.Namespace == namespace) {
					by := fmt.Sprintf("%s: %s/%s", set.At.File, set.At.Kind, set.At.Name)
					out = append(out, changed(by, []repo.Change{{Field: fieldpath.Element("spec.patches", i), Does: "patches it"}}, o)...)
				}
			}
		}
	}
	return firstOfEach(out)
}

// keptBack reports the objects that a check judges and that an annotation keeps from the cluster.
func keptBack(all []repo.Checked) finding.List {
	var out finding.List
	for _, o := range all {
		if o.KeptBack == "" {
			continue
		}
		out = append(out, finding.Finding{
			ID: finding.CreatedOnce, Severity: finding.Warning, Object: o.Object, Field: "metadata.annotations",
			Text: fmt.Sprintf("the annotation %q keeps its host from applying each edit of this %s, so the cluster may have another one", o.KeptBack, o.What()),
			Do:   "remove the annotation, or apply each edit by hand",
		})
	}
	return out
}

// firstOfEach returns findings without those that say the same of another object.
func firstOfEach(found finding.List) finding.List {
	said := map[string]bool{}
	return slices.DeleteFunc(found, func(f finding.Finding) bool {
		was := said[f.Text]
		said[f.Text] = true
		return was
	})
}

// toObject returns what applies an object of a place: the place, or else its file.
func (w *Delivery) toObject(place string, o repo.Checked) repo.Routes {
	if place == manifest.Stdin {
		return nil
	}
	out := w.to(place)
	switch file := filepath.FromSlash(o.File); {
	case file == "" || place != "" && kustomize.In(place):
		return out
	case o.Place != nil:
		return append(out, w.rendering(file)...)
	default:
		return append(out, w.to(file)...)
	}
}

// changed reports what something on the way changes in an object.
func changed(by string, all []repo.Change, o repo.Checked) finding.List {
	if len(all) == 0 {
		return nil
	}
	var fields []string
	for _, one := range all {
		fields = append(fields, fmt.Sprintf("%s %s", one.Field, one.Does))
	}
	return finding.List{{
		ID: finding.ChangedByDelivery, Severity: finding.Error, Object: o.Object,
		Text: fmt.Sprintf("%s changes this %s on its way to the cluster, so goldenarch does not know what the cluster gets: %s",
			by, o.What(), strings.Join(fields, "; ")),
		Do: "put this into the file, or into a kustomization of its directory, and remove it there",
	}}
}

// hidden reports the changes in Git that a route does not bring to a CR.
func hidden(r repo.Route, cr finding.Object) finding.List {
	fields, never := r.IgnoredOf(cr)
	if len(fields) == 0 {
		return nil
	}
	f := finding.Finding{
		ID: finding.ChangedByDelivery, Severity: finding.Warning, Object: cr,
		Text: fmt.Sprintf("%s ignores differences of the CR (%s): Argo CD takes it for synced, so a commit that changes only these does not reach the cluster",
			r.By, strings.Join(fields, ", ")),
		Do: "remove them from ignoreDifferences",
	}
	if never {
		f.Severity = finding.Error
		f.Text = fmt.Sprintf("%s ignores differences of the CR (%s), also when it syncs (RespectIgnoreDifferences=true): Argo CD writes what the cluster has "+
			"in their place, so no commit changes them", r.By, strings.Join(fields, ", "))
	}
	return finding.List{f}
}

// checked returns the objects among items that a check judges: CRs, and machines and pods if it looks at them.
func (r *reader) checked(items []*yaml.RNode, machines, pods bool) []repo.Checked {
	var out []repo.Checked
	var applied object.Object // what a host applies, also of several wrappers around each other
	for _, o := range object.All(items) {
		one := repo.Checked{Object: o.At, Place: r.placeOf(o.At.File)}
		if o.IsWrapped() {
			one.Wrapper = applied.At
		} else {
			applied = o
		}
		one.KeptBack = keeperOf(applied.Node)
		switch {
		case o.IsLocal():
			continue
		case kinds.IsCR(o):
		case machines && machine.IsOne(o.At):
			one.Machine = true
		case pods:
			if one.Images = imagesOf(o); len(one.Images) == 0 {
				continue
			}
			one.Pods = true
		default:
			continue
		}
		if (one.Machine || one.Pods) && !r.Literal && !flux.IsLiteral(o.Node) {
			one.Variables = variables("", o.Node.YNode(), false)
		}
		out = append(out, one)
	}
	return out
}

// keeperOf returns the annotation by which Argo CD or Flux does not apply an object, or no edit of it; "" for none
// (argo-cd gitops-engine pkg/sync/hook: Skip; fluxcd/pkg ssa: ApplyOptions).
func keeperOf(applied *yaml.RNode) string {
	for _, one := range []struct{ key, value string }{
		{"argocd.argoproj.io/hook", "Skip"},
		{"kustomize.toolkit.fluxcd.io/reconcile", "disabled"},
		{"kustomize.toolkit.fluxcd.io/ssa", "IfNotPresent"},
		{"kustomize.toolkit.fluxcd.io/ssa", "Ignore"},
	} {
		if strings.EqualFold(object.Annotation(applied, one.key), one.value) {
			return one.key + ": " + one.value
		}
	}
	return ""
}

// placeOf returns where in a file a person states that a CR is; nil for a manifest.
func (r *reader) placeOf(file string) []string {
	for _, one := range r.CRPaths {
		if filepath.ToSlash(one.File) == file {
			return one.Steps
		}
	}
	return nil
}

// imagesOf returns the images of the pods of an object.
func imagesOf(o object.Object) []string {
	var out []string
	for _, place := range podspec.Places(podspec.Object{Node: o.Node.YNode(), APIVersion: o.At.APIVersion, Kind: o.At.Kind}, podspec.Options{}) {
		if place.Shape == podspec.PodSpec {
			for _, one := range place.Images() {
				out = append(out, one.Reference)
			}
		}
	}
	return out
}

// deciding are the fields of machines and pods on which their nodes and images depend, with what is below them.
var deciding = []string{"architecture", "nodeSelector", "affinity", "sourceRef", "containerDisk", "registry", "instancetype", "preference", "image", "machine"}

// variables returns the places of these fields that have a variable of Flux. decides says that the node is below one.
func variables(path string, n *yaml.Node, decides bool) []string {
	var out []string
	if decides && strings.Contains(strings.ReplaceAll(n.Value, "$$", ""), "${") {
		out = append(out, path)
	}
	for key, value := range yamlnode.Fields(n) {
		out = append(out, variables(strings.TrimPrefix(path+"."+key, "."), value, decides || slices.Contains(deciding, key))...)
	}
	for i := 0; n.Kind == yaml.SequenceNode && i < len(n.Content); i++ {
		out = append(out, variables(fieldpath.Element(path, i), yamlnode.Dealias(n.Content[i]), decides)...)
	}
	return out
}
