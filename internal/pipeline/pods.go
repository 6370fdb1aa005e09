package pipeline

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/items"
)

// pods is the configuration for pods.
type pods struct {
	stated *v1alpha1.WorkloadArchitectures // nil for the defaults
	// only reports that the run is only about pods.
	only bool
	// bundle reports that the run checks pods if the configuration does not say what to
	// do.
	bundle bool
}

// podsOf returns the configuration for pods.
func (f Function) podsOf(config *configuration.Config) pods {
	return pods{stated: config.Workloads, only: config.OnlyWorkloads, bundle: f.Bundle || len(f.Catalogs) > 0}
}

// spec returns what to do about pods. The GoldenImages or a flag takes precedence.
func (p pods) spec(mode v1alpha1.WorkloadMode) v1alpha1.WorkloadArchitecturesSpec {
	var out v1alpha1.WorkloadArchitecturesSpec
	if p.stated != nil {
		out = p.stated.Spec
	} else {
		out.Default()
		out.Mode = v1alpha1.WorkloadsNone
		if p.bundle {
			out.Mode = v1alpha1.WorkloadsCheck
		}
	}
	out.Mode = cmp.Or(mode, out.Mode)
	return out
}

// locate adds their place to findings about the configuration's fields.
func (p pods) locate(found finding.List) finding.List {
	for i := range found {
		if p.stated != nil && found[i].Object == (finding.Object{}) {
			found[i].Object = finding.Object{APIVersion: p.stated.APIVersion, Kind: p.stated.Kind, Name: p.stated.Name}
		}
	}
	return found
}

// find finds the pods of a run.
func (p pods) find(all []*yaml.RNode, edited map[*yaml.RNode]*yaml.RNode, in input.Input, spec *settings.Settings) (items.Items, workload.Run, finding.List) {
	run := workload.Run{Spec: p.spec(spec.Workloads), Bundle: p.bundle}
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
// it changed to edited, and returns the findings.
func (f Function) treatPods(ctx context.Context, in input.Input, out *result, spec *settings.Settings) finding.List {
	list, run, found := f.pods.find(out.items, out.edited, in, spec)
	if run.Spec.Mode == v1alpha1.WorkloadsNone || found.Failed() {
		return found
	}
	if list.Len()+len(f.Catalogs) == 0 {
		if len(in.CRs) == 0 {
			found = append(found, noPods())
		}
		return found
	}
	out.pods = list.Objects()
	locks, more := f.readLocks(in, spec.Lock.Mode)
	if found = append(found, more...); more.Failed() {
		return found
	}
	texts := list.Images()
	for _, one := range f.Catalogs {
		texts = append(texts, one.Images()...)
	}
	slices.Sort(texts)
	answers, more := f.askForPods(ctx, slices.Compact(texts), in, locks, run.Spec, spec)
	if found = append(found, more...); more.Failed() {
		return found
	}
	edited, undecided, more := list.Treat(answers, locks.Operators())
	out.undecided = append(out.undecided, undecided...)
	maps.Copy(out.edited, edited)
	found = append(found, more...)
	for _, one := range f.Catalogs {
		found = append(found, one.Check(answers)...)
	}
	return found
}

// askForPods resolves the images of pods, each once.
func (f Function) askForPods(ctx context.Context, texts []string, in input.Input, locks locks, stated v1alpha1.WorkloadArchitecturesSpec,
	spec *settings.Settings,
) (map[string]workload.Answer, finding.List) {
	mirrors, found := access.ReadMirrors(f.mirrorSets(in.Objects), spec.GoldenImagesSpec)
	if found.Failed() {
		return nil, found
	}
	q := questionsOf(texts, stated)
	found = append(found, f.pods.locate(q.found)...)
	found = append(append(found, locks.unlocked(q.refs)...), locks.untrusted(q.refs)...)
	if found.Failed() || len(q.refs) == 0 {
		return q.answers, found
	}
	held := access.Collect(f.lookup(in.Objects), mirrors, nil, spec.GoldenImagesSpec)
	resolver, err := f.locked(locks, held)
	if err != nil {
		return nil, append(found, unreachable(err))
	}
	ctx, cancel := context.WithTimeout(ctx, spec.Registry.RunTimeout())
	defer cancel()
	for _, r := range registry.ResolveAll(ctx, resolver, q.refs) {
		q.answer(r, locks.commandFor(r.Err))
	}
	return q.answers, append(found, forPods(held.Findings())...)
}

// noPods reports that a run about pods has no pods.
func noPods() finding.Finding {
	return finding.Finding{
		ID: finding.NoPods, Severity: finding.Warning,
		Text: "the input has no object with pods that the configuration selects, so everything passes through unchanged",
		Do:   "pass such objects, correct the selectors, or leave goldenarch out",
	}
}
