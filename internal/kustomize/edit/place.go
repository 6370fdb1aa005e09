package edit

import (
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// ErrNoPlace is the error for a field that no editable file sets.
var ErrNoPlace = errors.New("no file that goldenarch can edit sets this field: " +
	"a transformer, a replacement, a generator or a JSON patch that removes it may do it")

// placer writes the changes of an object into the files that contain it.
type placer struct {
	fragments []fragment // of the object, in order of precedence, itself last
	// others returns who else builds a file; nil is nobody.
	others  func(file string) *SharedError
	shown   func(file string) string // for messages
	changed map[*sourceFile]bool
}

// place writes the differences below a path. Both nodes are mappings.
func (p *placer) place(path []step, before, after *yaml.Node) error {
	for key, value := range yamlnode.Pairs(after) {
		key := key.Value
		at := withKey(path, key)
		j := yamlnode.Field(before, key)
		if j < 0 {
			if err := p.add(at, value); err != nil {
				return err
			}
			continue
		}
		if err := p.placeValue(at, before.Content[j], value); err != nil {
			return err
		}
	}
	for key, value := range yamlnode.Pairs(before) {
		key := key.Value
		if yamlnode.Field(after, key) >= 0 {
			continue
		}
		if err := p.remove(withKey(path, key), value); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a value. The annotations of an object go one by one: in the file they are
// beside those that say where the object is from.
func (p *placer) remove(at []step, before *yaml.Node) error {
	if shownPath(at) != "metadata.annotations" || before.Kind != yaml.MappingNode {
		return p.set(at, before, nil)
	}
	for key, value := range yamlnode.Pairs(before) {
		if err := p.set(withKey(at, key.Value), value, nil); err != nil {
			return err
		}
	}
	return nil
}

// placeValue writes the differences of a value. Of a list it writes the differences of
// each element if JSON patches set parts of it, and otherwise the whole list.
func (p *placer) placeValue(at []step, before, after *yaml.Node) error {
	switch {
	case yamlnode.Same(before, after):
		return nil
	case before.Kind == yaml.MappingNode && after.Kind == yaml.MappingNode && len(before.Content) > 0:
		return p.place(at, before, after)
	case before.Kind == yaml.SequenceNode && after.Kind == yaml.SequenceNode && len(before.Content) == len(after.Content) &&
		sameNames(before.Content, after.Content) && p.patched(at):
		for i := range before.Content {
			name := nodeName(before.Content[i])
			if name == "" {
				return p.set(at, before, after)
			}
			if err := p.placeValue(withElement(at, i, name), before.Content[i], after.Content[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return p.set(at, before, after)
}

// patched reports whether a JSON patch sets a value below a path.
func (p *placer) patched(path []step) bool {
	return slices.ContainsFunc(p.fragments, func(x fragment) bool { return x.isBelow(path) })
}

// change records that a fragment changes; it is an error if others share its file.
func (p *placer) change(x fragment) error {
	if shared := p.others(x.sharedWith()); shared != nil {
		of := *shared
		of.File = p.shown(x.path)
		return &of
	}
	p.changed[x.sourceFile] = true
	return nil
}

// set changes a value in the file that sets it. If the new value is nil, set removes it.
func (p *placer) set(path []step, before, after *yaml.Node) error {
	for _, x := range p.fragments {
		parent, key := x.holder(path, existing)
		i := yamlnode.Field(parent, key)
		if i < 0 {
			continue
		}
		if !yamlnode.Same(parent.Content[i], before) || after == nil && x.operation != nil && parent == x.operation {
			break // something changes the value afterwards, or an operation would have no value
		}
		if err := p.change(x); err != nil {
			return err
		}
		if after == nil {
			yamlnode.Remove(parent, key)
			return nil
		}
		replaceNode(parent, i, after)
		return nil
	}
	return fmt.Errorf("%s: %w", shownPath(path), ErrNoPlace)
}

// add writes a value that no file sets yet. It writes into the JSON patch that sets the
// mapping around it, or else into the file of the object. If other directories share that
// file, it writes into a patch that only this directory uses.
func (p *placer) add(path []step, value *yaml.Node) error {
	var self *fragment
	for i, x := range p.fragments {
		if rest, covers := x.covers(path); x.operation != nil && covers && len(rest) > 0 {
			self = &p.fragments[i]
			break
		}
	}
	if x, at := p.nullIn(path); self == nil && x != nil {
		return p.overNull(*x, path[:at+1], path[at+1:], value)
	}
	if self == nil {
		objects := slices.DeleteFunc(slices.Clone(p.fragments), func(x fragment) bool { return x.operation != nil })
		if len(objects) == 0 {
			return fmt.Errorf("%s: %w", shownPath(path), ErrNoPlace)
		}
		self = &objects[len(objects)-1]
		for i := 0; p.others(self.sharedWith()) != nil && i < len(objects); i++ {
			if p.others(objects[i].sharedWith()) == nil {
				self = &objects[i]
			}
		}
	}
	if err := p.change(*self); err != nil {
		return err
	}
	parent, key := self.holder(path, made)
	if parent == nil {
		return fmt.Errorf("%s: %w", shownPath(path), ErrNoPlace)
	}
	if i := yamlnode.Field(parent, key); i >= 0 {
		replaceNode(parent, i, value)
		return nil
	}
	if len(parent.Content) == 0 {
		parent.Style = 0
	}
	parent.Content = append(parent.Content, yamlnode.NewScalar(key, yaml.NodeTagString, 0), yamlnode.Unplaced(value))
	return nil
}

// nullIn returns the strategic merge patch that removes a field at a path or around it: with
// null as its value. It also returns the index of the step. A value of another file would
// not survive the patch.
func (p *placer) nullIn(path []step) (*fragment, int) {
	for i, x := range p.fragments {
		if x.object || x.operation != nil {
			continue
		}
		n := x.node
		for at, step := range path {
			if step.element || n == nil || n.Kind != yaml.MappingNode {
				break
			}
			if n = yamlnode.Value(n, step.key); n != nil && yamlnode.IsNull(n) {
				return &p.fragments[i], at
			}
		}
	}
	return nil, 0
}

// overNull writes a value in the place of the null of a patch, with the mappings around it.
// They replace what the base has, as the null removes it.
func (p *placer) overNull(x fragment, at, rest []step, value *yaml.Node) error {
	if err := p.change(x); err != nil {
		return err
	}
	out := yamlnode.Unplaced(value)
	for _, step := range slices.Backward(rest) {
		if step.element {
			return fmt.Errorf("%s: %w", shownPath(at), ErrNoPlace)
		}
		around := yamlnode.NewMapping()
		yamlnode.Put(around, step.key, out)
		out = around
	}
	if out.Kind == yaml.MappingNode {
		out.Content = append([]*yaml.Node{
			yamlnode.NewScalar("$patch", yaml.NodeTagString, 0), yamlnode.NewScalar("replace", yaml.NodeTagString, 0),
		}, out.Content...)
	}
	parent, key := x.holder(at, existing)
	i := yamlnode.Field(parent, key)
	if i < 0 {
		return fmt.Errorf("%s: %w", shownPath(at), ErrNoPlace)
	}
	parent.Content[i] = out
	return nil
}

// replaceNode replaces a value. The parts that are equal in both values keep their form,
// because kustomize has sorted the fields of the built object.
func replaceNode(parent *yaml.Node, i int, value *yaml.Node) {
	old := parent.Content[i]
	switch {
	case yamlnode.Same(old, value):
	case old.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode && len(old.Content) > 0:
		replaceFields(old, value)
	case old.Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode && len(old.Content) > 0 && sameNames(old.Content, value.Content):
		for j, element := range value.Content {
			if j < len(old.Content) {
				replaceNode(old, j, element)
			} else {
				old.Content = append(old.Content, yamlnode.Unplaced(element))
			}
		}
	default:
		out := yamlnode.Unplaced(value)
		if old.Kind == yaml.ScalarNode && out.Kind == yaml.ScalarNode && old.Tag == out.Tag {
			out.Style = old.Style
		}
		parent.Content[i] = out
	}
}

func replaceFields(old, value *yaml.Node) {
	for key, value := range yamlnode.Pairs(value) {
		if j := yamlnode.Field(old, key.Value); j >= 0 {
			replaceNode(old, j, value)
		} else {
			old.Content = append(old.Content, yamlnode.Unplaced(key), yamlnode.Unplaced(value))
		}
	}
	yamlnode.RemoveFunc(old, func(key string) bool { return yamlnode.Field(value, key) < 0 })
}

// sameNames reports whether a list begins with the elements of another, compared by name.
func sameNames(old, value []*yaml.Node) bool {
	if len(value) < len(old) {
		return false
	}
	for i := range old {
		if nodeName(old[i]) != nodeName(value[i]) {
			return false
		}
	}
	return true
}

// nodeName returns the name of an element, or "" if it has none.
func nodeName(n *yaml.Node) string {
	for _, path := range [][]string{{"metadata", "name"}, {"name"}, {"key"}} {
		if name := yamlnode.Get(n, path...); name != nil {
			return name.Value
		}
	}
	return ""
}
