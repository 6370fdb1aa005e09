package edit

import (
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
)

// patchTargets has the objects of a build as patches name them.
type patchTargets struct {
	items []*yaml.RNode
	of    map[*yaml.RNode]patchTarget
}

// patchTarget says how a patch names an object.
type patchTarget struct {
	id     resid.ResId // in its file
	target types.Selector
}

// named is a name of an object of a kind.
type named struct{ group, kind, name string }

// patchTargetsOf returns the objects of a build as patches name them. A patch comes before
// the prefix, the suffix and the namespace of its kustomization, so it must use the name in
// the file, or the one that the base gave.
func patchTargetsOf(b kustomize.Built) (*patchTargets, error) {
	dir, err := files.Real(b.Path)
	if err != nil {
		return nil, err
	}
	out := &patchTargets{items: b.Items, of: make(map[*yaml.RNode]patchTarget, len(b.Items))}
	all := fragmentsOf(&Session{}, b.Path, dir)
	bearers := map[named]int{} // the objects that have a name in the file or in the build
	for _, item := range b.Items {
		id := all.idInFile(item)
		out.of[item] = patchTarget{id, types.Selector{ResId: resid.ResId{
			Gvk: resid.Gvk{Group: id.Group, Kind: id.Kind}, Name: regexp.QuoteMeta(id.Name),
		}}}
		bearers[named{id.Group, id.Kind, id.Name}]++
		if name := item.GetName(); name != id.Name {
			bearers[named{id.Group, id.Kind, name}]++
		}
	}
	_, k, _ := kustomize.Read(dir)
	for item, t := range out.of {
		if bearers[named{t.id.Group, t.id.Kind, t.id.Name}] == 1 {
			continue
		}
		t.target.Name = regexp.QuoteMeta(strings.TrimSuffix(strings.TrimPrefix(item.GetName(), k.NamePrefix), k.NameSuffix))
		if t.target.Namespace = item.GetNamespace(); k.Namespace != "" || t.target.Namespace == "" {
			t.target.Namespace = t.id.EffectiveNamespace()
		}
		out.of[item] = t
	}
	return out, nil
}

// selected returns the objects that a target of a patch of goldenarch selects. It is as goldenarch writes
// it, or a person has edited it.
func (t *patchTargets) selected(stated types.Selector) []*yaml.RNode {
	exactly := func(item *yaml.RNode) bool { return t.of[item].target == stated }
	if i := slices.IndexFunc(t.items, exactly); i >= 0 {
		return t.items[i : i+1]
	}
	selector, err := types.NewSelectorRegex(&stated)
	if err != nil || stated.LabelSelector != "" || stated.AnnotationSelector != "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.items), func(item *yaml.RNode) bool {
		id := t.of[item].id
		return !selector.MatchGvk(id.Gvk) || !selector.MatchName(id.Name) || !selector.MatchNamespace(id.EffectiveNamespace())
	})
}
