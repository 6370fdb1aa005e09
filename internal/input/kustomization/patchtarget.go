package kustomization

import (
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/pathname"
)

// patchTargets has what patches of a directory need to know of the objects of its build.
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

// patchTargets returns the objects of a build as patches name them. A patch comes before
// the prefix, the suffix and the namespace of its kustomization, so it must use the name in
// the file, or the one that the base gave.
func (b Built) patchTargets() (*patchTargets, error) {
	dir, err := pathname.Real(b.Path)
	if err != nil {
		return nil, err
	}
	out := &patchTargets{dir: dir, items: b.Items, of: make(map[*yaml.RNode]patchTarget, len(b.Items)), named: map[string][]*yaml.RNode{}}
	index := fragmentIndexOf(&Session{}, b.Path, dir)
	kinds := map[resid.Gvk]int{}
	for _, item := range b.Items {
		gvk := resid.GvkFromNode(item)
		id := idOf(index.sourceOf(item))
		out.of[item] = patchTarget{gvk: gvk, id: id, target: types.Selector{ResId: resid.ResId{
			Gvk: resid.Gvk{Group: id.Group, Kind: id.Kind}, Name: regexp.QuoteMeta(id.Name),
		}}}
		kinds[resid.Gvk{Group: gvk.Group, Kind: gvk.Kind}]++
		out.add(item, id.Name)
		out.add(item, item.GetName())
	}
	_, k, _ := kustomizationOf(dir)
	for _, item := range b.Items {
		t := out.of[item]
		t.alone = kinds[resid.Gvk{Group: t.gvk.Group, Kind: t.gvk.Kind}] == 1
		if out.hasRival(item) {
			name := strings.TrimSuffix(strings.TrimPrefix(item.GetName(), k.NamePrefix), k.NameSuffix)
			t.target.Name = regexp.QuoteMeta(name)
			if t.target.Namespace = item.GetNamespace(); k.Namespace != "" || t.target.Namespace == "" {
				t.target.Namespace = t.id.EffectiveNamespace()
			}
			out.add(item, name)
		}
		out.of[item] = t
	}
	return out, nil
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
