package yamledit

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// change edits a node and the nodes below it so that it equals another. It goes through both
// trees once, and compares whole values only where the text shares or repeats them.
func (e *edit) change(p *place, want *yaml.Node) error {
	n := p.node
	if n == want {
		return nil
	}
	shared := n.Kind == yaml.AliasNode || e.aliased[n]
	if !shared && len(n.Content) > 0 && len(want.Content) > 0 && n.Kind == want.Kind {
		switch n.Kind {
		case yaml.MappingNode:
			return e.changeFields(p, want)
		case yaml.SequenceNode:
			return e.changeElements(p, want)
		case yaml.DocumentNode, yaml.ScalarNode, yaml.AliasNode:
		}
	}
	switch {
	case e.Same(n, want):
		return nil
	case n.Kind == yaml.AliasNode:
		return e.refuse(p.start, fmt.Sprintf("the alias *%s is where an edit must go", n.Value), writeOut)
	case shared:
		return e.refuse(p.start, fmt.Sprintf("the anchor &%s is where an edit must go, and aliases share its value", n.Anchor), "write the values out")
	}
	if err := e.mayGo(p); err != nil {
		return err
	}
	if want = yamlnode.Dealias(want); p.isBlock() && want.Kind == n.Kind && len(want.Content) == 0 && e.clear(p) {
		return nil
	}
	return e.replace(p, want)
}

// mayGo fails if a value to remove has an anchor, and an alias elsewhere needs the anchor.
func (e *edit) mayGo(p *place) error {
	if e.aliased[p.node] {
		return e.refuse(p.start, fmt.Sprintf("the anchor &%s is where an edit must go, and aliases share its value", p.node.Anchor), "write the values out")
	}
	for _, entry := range p.entries {
		if entry.key != nil && e.aliased[entry.key.node] {
			return e.mayGo(entry.key)
		}
		if err := e.mayGo(entry.value); err != nil {
			return err
		}
	}
	return nil
}

// wantedFields returns the fields of a wanted mapping by the identity of their keys.
func (e *edit) wantedFields(p *place, want *yaml.Node) (map[string]*yaml.Node, error) {
	wanted := map[string]*yaml.Node{}
	for key, value := range yamlnode.Pairs(want) {
		if yamlnode.IsMerge(key) {
			return nil, e.refuse(p.start, "a merge key (<<) is where an edit must go", writeOut)
		}
		wanted[e.KeyID(key)] = value
	}
	return wanted, nil
}

// dropInherited removes from the wanted fields those that a merge key brings. It fails for one
// that must change.
func (e *edit) dropInherited(p *place, inherited, wanted map[string]*yaml.Node, has map[string]int) error {
	for id := range inherited {
		if _, is := has[id]; is {
			continue
		}
		if value, is := wanted[id]; !is || !e.Same(inherited[id], value) {
			return e.refuse(p.start, "a merge key (<<) brings a field that must change", writeOut)
		}
		delete(wanted, id)
	}
	return nil
}

// changeFields changes a mapping that has fields into another.
func (e *edit) changeFields(p *place, want *yaml.Node) error {
	if yamlnode.SameKeys(p.node, want) {
		for i, entry := range p.entries {
			if err := e.change(entry.value, want.Content[2*i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	if !e.hasPlainKeys(p.node) && e.Same(p.node, want) {
		return nil
	}
	inherited, err := e.inherited(p)
	if err != nil {
		return err
	}
	wanted, err := e.wantedFields(p, want)
	if err != nil {
		return err
	}
	has := map[string]int{}
	gone := make([]bool, len(p.entries))
	for i, entry := range p.entries {
		if yamlnode.IsMerge(entry.key.node) {
			continue
		}
		id := e.KeyID(entry.key.node)
		has[id] = i
		value, is := wanted[id]
		if !is {
			if inherited[id] != nil {
				return e.refuse(entry.at, "a merge key (<<) brings a field that must go", writeOut)
			}
			gone[i] = true
			continue
		}
		if err := e.change(entry.value, value); err != nil {
			return err
		}
	}
	if err := e.dropInherited(p, inherited, wanted, has); err != nil {
		return err
	}
	list := arrangement{place: p, gone: gone}
	last := -1
	for key, value := range yamlnode.Pairs(want) {
		id := e.KeyID(key)
		at, is := has[id]
		switch {
		case is:
			last = max(last, at)
		case wanted[id] != nil:
			list.fresh = append(list.fresh, fresh{after: last, key: key, value: value})
			delete(wanted, id) // write a duplicate key only once
		}
	}
	return e.arrange(list)
}

// hasPlainKeys reports whether a mapping has neither a merge key nor a duplicate key.
func (e *edit) hasPlainKeys(n *yaml.Node) bool {
	seen := map[string]bool{}
	for key := range yamlnode.Pairs(n) {
		id := e.KeyID(key)
		if yamlnode.IsMerge(key) || seen[id] {
			return false
		}
		seen[id] = true
	}
	return true
}

// inherited returns the fields from merge keys. A duplicate key is an error, because YAML
// readers differ on which value they use.
func (e *edit) inherited(p *place) (map[string]*yaml.Node, error) {
	own := map[string]int{}
	bring := &yaml.Node{Kind: yaml.MappingNode}
	for i, entry := range p.entries {
		if yamlnode.IsMerge(entry.key.node) {
			bring.Content = append(bring.Content, entry.key.node, entry.value.node)
			continue
		}
		id := e.KeyID(entry.key.node)
		if _, twice := own[id]; twice {
			return nil, e.refuse(entry.at, fmt.Sprintf("duplicate key %q", entry.key.node.Value), "remove one of them")
		}
		own[id] = i
	}
	out, ok := e.Fields(bring)
	if !ok {
		return nil, e.refuse(p.start, "goldenarch cannot follow the merge key (<<)", writeOut)
	}
	return out, nil
}

// changeElements changes a list that has elements into another.
func (e *edit) changeElements(p *place, want *yaml.Node) error {
	pairs := e.align(p.node.Content, want.Content)
	list := arrangement{place: p, gone: make([]bool, len(p.entries))}
	for i := range list.gone {
		list.gone[i] = true
	}
	last := -1
	for j, value := range want.Content {
		i := pairs[j]
		if i < 0 {
			list.fresh = append(list.fresh, fresh{after: last, value: value})
			continue
		}
		last, list.gone[i] = i, false
		if err := e.change(p.entries[i].value, value); err != nil {
			return err
		}
	}
	return e.arrange(list)
}
