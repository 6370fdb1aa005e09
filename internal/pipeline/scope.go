package pipeline

import (
	"maps"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

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
		if !step.onlyChecks() {
			maps.Copy(out.items, step.scope(step.input(items), &out))
		}
	}
	return out
}

// scope returns the items that a step decides on, and adds to the scope what they may be.
func (l loaded) scope(items []*yaml.RNode, of *Scope) map[*yaml.RNode]bool {
	spec := l.config.Settings
	nodes, _ := input.ReadNodes(l.Nodes)
	in, _ := input.Read(items, nodes, spec.Lock.Mode, l.crs)
	out := map[*yaml.RNode]bool{}
	if !l.pods.only {
		of.crs = true
		for _, cr := range in.CRs {
			out[cr.Item] = true
		}
	}
	if l.pods.spec(spec.Workloads).Mode == v1alpha1.WorkloadsAffinity {
		of.pods = true
		list, _, _ := l.pods.find(items, nil, in, spec)
		for _, item := range list.Originals() {
			out[item] = true
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
