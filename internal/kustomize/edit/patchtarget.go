package edit

import (
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// patchTargetsOf has what patches of a directory need to know of the objects of its build.
type patchTargets struct {
	dir   string // absolute, without links
	items []*yaml.RNode
	of    map[*yaml.RNode]patchTarget
	// named has the objects that a name can mean: in the file, in the build, or in a target.
	named map[string][]*yaml.RNode
}

// patchTarget says how a patch names an object.
type patchTarget struct {
	gvk    resid.Gvk
	id     resid.ResId // in its file
	target types.Selector
	alone  bool // the build has no other object of the kind
}

// add adds an object by a name.
func (t *patchTargets) add(item *yaml.RNode, name string) {
	if !slices.Contains(t.named[name], item) {
		t.named[name] = append(t.named[name], item)
	}
}

// hasRival reports whether the name of an object in its file means another one of the kind,
// too.
func (t *patchTargets) hasRival(item *yaml.RNode) bool {
	mine := t.of[item]
	return slices.ContainsFunc(t.named[mine.id.Name], func(other *yaml.RNode) bool {
		theirs := t.of[other]
		return other != item && theirs.gvk.Group == mine.gvk.Group && theirs.gvk.Kind == mine.gvk.Kind &&
			(other.GetName() == mine.id.Name || theirs.id.Name == mine.id.Name)
	})
}

// selected returns the objects that a target selects.
func (t *patchTargets) selected(stated types.Selector) []*yaml.RNode {
	selector, err := types.NewSelectorRegex(&stated)
	if err != nil {
		return nil
	}
	candidates := t.items
	if name := targetName(&stated); name != "" {
		candidates = t.named[name]
	}
	return slices.DeleteFunc(slices.Clone(candidates), func(item *yaml.RNode) bool {
		of := t.of[item]
		named := selector.MatchName(of.id.Name) || stated.Name == of.target.Name
		inNamespace := stated.Namespace == of.target.Namespace || selector.MatchNamespace(of.id.EffectiveNamespace())
		return !selector.MatchGvk(of.gvk) || !named || !inNamespace
	})
}
