package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/items"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// podSpec returns what to do about pods.
func (s *loadedStep) podSpec(golden *v1alpha1.GoldenImagesSpec) v1alpha1.WorkloadArchitecturesSpec {
	return s.config.PodSpec(golden, s.function.Bundle)
}

// locatePods adds their place to findings about the fields of the configuration for pods.
func (s *loadedStep) locatePods(found finding.List) finding.List {
	for i := range found {
		if stated := s.config.Workloads; stated != nil && found[i].Object == (finding.Object{}) {
			found[i].Object = finding.Object{APIVersion: stated.APIVersion, Kind: stated.Kind, Name: stated.Name}
		}
	}
	return found
}

// findPods finds the pods of items. What edited has for an item takes its place.
func (s *loadedStep) findPods(all []*yaml.RNode, edited map[*yaml.RNode]*yaml.RNode, in input.Input, spec *settings.Settings) (
	items.Items, workload.Run, finding.List,
) {
	run := workload.Run{
		Spec: s.podSpec(spec.GoldenImagesSpec), Bundle: s.function.Bundle, Operator: s.function.Operator, Required: s.function.Required,
	}
	if run.Spec.Mode == v1alpha1.WorkloadsNone {
		return items.Items{}, run, nil
	}
	run.Nodes = nodesOf(in, spec, run.Spec)
	run.Selectors = items.Selectors(in.Objects)
	found, list := items.Find(all, edited, run)
	return found, run, list
}

// nodesOf returns what is known about the nodes on which pods run. What the user states
// comes first.
func nodesOf(in input.Input, spec *settings.Settings, stated v1alpha1.WorkloadArchitecturesSpec) workload.Nodes {
	if all := arch.Named(stated.ClusterArchitectures...); len(all) > 0 {
		return workload.NodesOf(all)
	}
	if facts, says := cluster.FromConfig(spec.Cluster); says {
		return workload.NodesFrom([]cluster.Facts{facts})
	}
	return workload.NodesFrom(in.Facts)
}

// treatPods applies the configuration to the pods of the items. It adds the copies that
// it changed to those that the run edited.
func (r *run) treatPods(ctx context.Context) {
	list, did, found := r.findPods(r.items, r.edited, r.in, r.spec)
	if !r.found.Add(found...) || did.Spec.Mode == v1alpha1.WorkloadsNone {
		return
	}
	r.found.Add(r.locatePods(unusedPaths(did.Spec.AdditionalPaths, r.in.Objects))...)
	if list.Len() == 0 {
		if len(r.in.CRs) == 0 {
			r.found.Add(noPods())
		}
		return
	}
	r.pods = list.Objects()
	texts := list.Images()
	images := newPodImages(texts, did.Spec.IgnoreImages, r.config.Settings.Images)
	lookup, found := newLookup(r.loadedStep, r.in, images.refs)
	if !r.found.Add(found...) {
		return
	}
	r.podTexts = texts
	if !r.found.Add(forPods(lookup.answersForPods(ctx, images))...) {
		return
	}
	list.Carriers = r.function.Carriers
	out := list.Treat(images.answers, lookup.Operators())
	r.undecided = append(r.undecided, out.Undecided...)
	maps.Copy(r.edited, out.Edited)
	r.supports = out.Supports
	r.found.Add(out.Found...)
}

// unusedPaths reports entries of spec.additionalPaths that find no pods in objects of their kind, of whatever group. One for a kind that
// the input does not have may be for another input.
func unusedPaths(entries []v1alpha1.AdditionalPath, objects []object.Object) finding.List {
	var found finding.List
	list, of := workload.Objects(objects)
	for i, p := range entries {
		options := podspec.Options{Additional: []podspec.Path{{Group: p.Group, Kind: p.Kind, Path: p.Path, Shape: podspec.Shape(p.Shape)}}}
		without, finds := -1, false
		for at, o := range list {
			if o.Kind == p.Kind && !of[at].IsLocal() {
				without = at
				finds = finds || len(podspec.Places(o, options)) > len(podspec.Places(o, podspec.Options{}))
			}
		}
		if without < 0 || finds {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.OverrideUnused, Severity: finding.Warning, Field: fmt.Sprintf("spec.additionalPaths[%d]", i),
			Text: fmt.Sprintf("no %s of %s has %s, so the entry finds no pods. The input has %s of %s", p.Kind, cmp.Or(p.Group, "the core group"), p.Path,
				of[without].NameAndLocation(), list[without].APIVersion),
			Do: "correct the group and the path, or remove the entry",
		})
	}
	return found
}

// podsAsCommitted returns what is wrong with the pods of items that the run is to write, as
// they are: the warnings and errors of a check that are not among those of the run. It also returns what the operators support so.
func (r *run) podsAsCommitted(ctx context.Context, committed []*yaml.RNode) (finding.List, []workload.Support) {
	if len(r.pods) == 0 || r.podSpec(r.config.Settings.GoldenImagesSpec).Mode != v1alpha1.WorkloadsAffinity {
		return nil, r.supports
	}
	golden := *r.config.Settings.GoldenImagesSpec
	golden.Workloads = v1alpha1.WorkloadsCheck
	checked := r.newRun(committed)
	checked.in, checked.spec = r.in, settings.Of(&golden)
	checked.treatPods(ctx)
	return slices.DeleteFunc(checked.findings(), func(f finding.Finding) bool {
		return f.Severity == finding.Info || slices.ContainsFunc(r.found.List, func(known finding.Finding) bool {
			return known.ID == f.ID && known.Object == f.Object && known.Field == f.Field
		})
	}), checked.supports
}

// noPods reports that a run about pods has no pods.
func noPods() finding.Finding {
	return nothing(finding.NoPods, "the input has no object with pods that the configuration selects", ", so everything passes through unchanged",
		"pass such objects, correct the selectors, or leave goldenarch out")
}
