package engine

import (
	"context"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/output"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
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
	s := f.load(items, steps, nil)
	if s.Failed() {
		return Rendered{}, s.List
	}
	s.Add(output.LeftOutNodes(items)...)
	s.Add(machine.DuplicateKeys(s.objects)...)
	s.addUnused(finding.Warning)
	out := Rendered{Added: map[*yaml.RNode]int{}, Exceptions: s.exceptions}
	for i, step := range s.steps {
		known := setOf(items)
		after, found := step.runOrCheck(ctx, step.input(items))
		if s.AddDistinct(found...); found.Failed() {
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
	applied := s.exceptions.Apply(s.List)
	out.Ignored = applied.Ignored
	return out, applied.List
}

// Fix runs the steps as Render does, and returns all items: those that were read, with the
// decisions written into them, and those that the function emits. It omits the items that
// spec.inputs of the configurations name. It also returns what it decided on.
func (f Function) Fix(ctx context.Context, items []*yaml.RNode, steps []Step) ([]*yaml.RNode, Decided, finding.List) {
	s := f.load(items, steps, nil)
	if s.Failed() {
		return nil, Decided{}, s.List
	}
	decided := newDecided(s)
	s.addUnused(finding.Warning)
	for _, step := range s.steps {
		if step.onlyChecks() {
			_, found := step.runOrCheck(ctx, step.input(items))
			s.AddDistinct(found...)
		} else {
			r := step.run(ctx, step.input(items))
			s.AddDistinct(r.findings()...)
			for _, item := range r.undecided {
				decided.left[item] = true
			}
			items = slices.DeleteFunc(slices.Clone(r.items), func(item *yaml.RNode) bool { return slices.Contains(step.extra, item) })
		}
		if s.Failed() {
			break
		}
	}
	return items, decided, s.report()
}

// Decided says which items a run by Fix decided on. What earlier runs wrote into or about all others counts: their objects are
// those of other runs, or the run left something in them as it is. The zero value is that of a run that came to nothing.
type Decided struct {
	// left are the items that the run left as they are.
	left  map[*yaml.RNode]bool
	scope func() scope // of its steps; nil if it came to none
}

// newDecided returns what a run is to decide on. It looks for that when somebody first asks.
func newDecided(s *session) Decided {
	return Decided{left: map[*yaml.RNode]bool{}, scope: sync.OnceValue(func() scope {
		out := scope{items: map[*yaml.RNode]bool{}}
		for _, step := range s.steps {
			if !step.onlyChecks() {
				out.add(step, step.input(s.items))
			}
		}
		return out
	})}
}

// Item reports whether the run decided on an item.
func (d Decided) Item(item *yaml.RNode) bool {
	return d.scope == nil || d.scope().items[item] && !d.left[item]
}

// Kind reports whether the run decides on objects of a kind.
func (d Decided) Kind(group, kind string) bool {
	switch {
	case d.scope == nil:
		return true
	case hyperconverged.Is(group+"/", kind):
		return d.scope().crs
	default:
		return d.scope().pods
	}
}

// scope are the items that steps decide on, and whether they do so on CRs and on pods.
type scope struct {
	items     map[*yaml.RNode]bool
	crs, pods bool
}

// add adds the items that a step decides on. An item that also holds an object that the step
// does not decide on is not among them.
func (s *scope) add(step *loadedStep, items []*yaml.RNode) {
	spec, onlyPods := step.config.Settings, step.config.OnlyWorkloads
	r := step.newRun(items)
	r.read()
	in := r.in
	stated := step.podSpec(spec.GoldenImagesSpec)
	s.crs, s.pods = s.crs || !onlyPods, s.pods || stated.Mode == v1alpha1.WorkloadsAffinity
	selected := map[*yaml.RNode]int{}
	if stated.Mode == v1alpha1.WorkloadsAffinity {
		list, _, _ := step.findPods(items, nil, in, spec)
		_, selected = list.Counts()
	}
	stated.Mode, stated.Selectors = v1alpha1.WorkloadsAffinity, v1alpha1.WorkloadSelectors{}
	list, _ := workloaditems.Find(items, nil, workload.Run{Spec: stated})
	withPods, _ := list.Counts()
	withCR := map[*yaml.RNode]bool{}
	for _, cr := range in.CRs {
		withCR[cr.Item] = true
	}
	for _, item := range items {
		if withCR[item] || selected[item] > 0 {
			s.items[item] = s.items[item] || (!withCR[item] || !onlyPods) && selected[item] == withPods[item]
		}
	}
}
