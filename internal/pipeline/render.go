package pipeline

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/workload"
	workloaditems "github.com/goldenarch/goldenarch/internal/workload/items"
)

// Rendered is the result of Render.
type Rendered struct {
	// Items are those for the cluster.
	Items []*yaml.RNode
	// Added has the index of the step that added an item, of those that no file has.
	Added map[*yaml.RNode]int
	// Exceptions are those of the run, for what the caller has found itself, and Ignored is
	// how many findings they omit, by what states that.
	Exceptions finding.Exceptions
	Ignored    map[string]int
}

// Render runs the steps on items that were read from files, and returns those for the
// cluster. The findings have the lines of the files. It stops at the first step that fails.
func (f Function) Render(ctx context.Context, items []*yaml.RNode, steps []Step) (Rendered, finding.List) {
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return Rendered{}, found
	}
	found = append(found, output.LeftOutNodes(items)...)
	found = append(found, machine.DuplicateKeys(object.All(items))...)
	found = append(found, unused(steps, items, notListed, finding.Warning)...)
	out := Rendered{Added: map[*yaml.RNode]int{}}
	for i, step := range all {
		known := map[*yaml.RNode]bool{}
		for _, item := range items {
			known[item] = true
		}
		if step.generates {
			found = addDistinct(found, step.found)
			continue
		}
		after, list := step.runOrCheck(ctx, step.input(items), step.config)
		if found = addDistinct(found, list); list.Failed() {
			break
		}
		items = withoutInputs(after, step.extra)
		for _, item := range items {
			if !known[item] {
				out.Added[item] = i
			}
		}
	}
	out.Items = output.Product(items)
	out.Exceptions = all[0].exceptions
	applied := out.Exceptions.Apply(found)
	out.Ignored = applied.Ignored
	return out, applied.List
}

// Fix runs the steps as Render does, and returns all items: those that were read, with the
// decisions written into them, and those that the function emits. It omits the items that
// spec.inputs of the configurations name. It also returns what it decided on.
func (f Function) Fix(ctx context.Context, items []*yaml.RNode, steps []Step) ([]*yaml.RNode, Decided, finding.List) {
	decided := Decided{}
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return nil, decided, found
	}
	found = append(found, unused(steps, items, notListed, finding.Warning)...)
	for _, step := range all {
		var list finding.List
		switch {
		case step.generates:
			list = step.found
		case step.onlyChecks():
			_, list = step.runOrCheck(ctx, step.input(items), step.config)
		default:
			out := step.run(ctx, step.input(items), step.config.Settings)
			list = configuration.Locate(out.found, step.config)
			for _, item := range out.undecided {
				decided[item] = false
			}
			items = slices.DeleteFunc(slices.Clone(out.items), func(item *yaml.RNode) bool { return slices.Contains(step.extra, item) })
		}
		if found = addDistinct(found, list); found.Failed() {
			break
		}
	}
	return items, decided, all[0].exceptions.Apply(found).List
}

// Scope says which items the steps of a run by Fix decide on. A run leaves the decisions
// of other runs about all other items as they are.
type Scope struct {
	items     map[*yaml.RNode]bool
	crs, pods bool
}

// Scope returns the scope of a run. It is zero if a configuration is wrong.
func (f Function) Scope(items []*yaml.RNode, steps []Step) Scope {
	f.Reader = nil // Fix reads the files of spec.inputs again
	out := Scope{items: map[*yaml.RNode]bool{}}
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return Scope{}
	}
	for _, step := range all {
		if !step.onlyChecks() && !step.generates {
			for item, inside := range step.scope(step.input(items), &out) {
				out.items[item] = out.items[item] || inside
			}
		}
	}
	return out
}

// scope returns the items that a step decides on, and adds to the scope what they may be.
// An item that also holds an object that the step does not decide on is not among them.
func (l loaded) scope(items []*yaml.RNode, of *Scope) map[*yaml.RNode]bool {
	spec := l.config.Settings
	nodes, _ := input.ReadNodes(l.Nodes)
	in, _ := input.Read(items, nodes, spec.Lock.Mode, l.crs)
	stated := l.pods.spec(spec.Workloads)
	of.crs, of.pods = of.crs || !l.pods.only, of.pods || stated.Mode == v1alpha1.WorkloadsAffinity
	selected := map[*yaml.RNode]int{}
	if stated.Mode == v1alpha1.WorkloadsAffinity {
		list, _, _ := l.pods.find(items, nil, in, spec)
		_, selected = list.Counts()
	}
	stated.Mode, stated.Selectors = v1alpha1.WorkloadsAffinity, v1alpha1.WorkloadSelectors{}
	list, _ := workloaditems.Find(items, nil, workload.Run{Spec: stated})
	withPods, _ := list.Counts()
	withCR := map[*yaml.RNode]bool{}
	for _, cr := range in.CRs {
		withCR[cr.Item] = true
	}
	out := map[*yaml.RNode]bool{}
	for _, item := range items {
		if withCR[item] || selected[item] > 0 {
			out[item] = (!withCR[item] || !l.pods.only) && selected[item] == withPods[item]
		}
	}
	return out
}

// Item reports whether the run decides on an item.
func (s Scope) Item(item *yaml.RNode) bool { return s.items[item] }

// Kind reports whether the run decides on objects of a kind.
func (s Scope) Kind(group, kind string) bool {
	if hyperconverged.Is(group+"/", kind) {
		return s.crs
	}
	return s.pods
}

// Decided says which items a run by Fix decided on: all but those that it has as false. The
// run left something in these as it is, so what an earlier run wrote into them counts.
type Decided map[*yaml.RNode]bool

// Item reports whether the run decided on an item.
func (d Decided) Item(item *yaml.RNode) bool {
	decided, has := d[item]
	return decided || !has
}

// Kind reports that the run may have decided on objects of any kind.
func (d Decided) Kind(_, _ string) bool { return true }
