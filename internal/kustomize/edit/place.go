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

// placer writes the changes of an object into the files that contain it. A build with these files proves
// that they are the right ones.
type placer struct {
	fragments []fragment // of the object, in order of precedence, itself last
	// others returns who else builds a file; nil is nobody.
	others  func(file string) *SharedError
	shown   func(file string) string // for messages
	changed []*sourceFile
}

// place writes a change.
func (p *placer) place(c change) error {
	if c.before == nil {
		return p.add(c.path, c.after)
	}
	return p.set(c.path, c.before, c.after)
}

// change records that a fragment changes; it is an error if others share its file.
func (p *placer) change(x fragment) error {
	if shared := p.others(x.sharedWith()); shared != nil {
		of := *shared
		of.File = p.shown(x.path)
		return &of
	}
	if !slices.Contains(p.changed, x.sourceFile) {
		p.changed = append(p.changed, x.sourceFile)
	}
	return nil
}

// holderOf returns the mapping of a fragment that has the last key of a path, and that key.
func holderOf(x fragment, path []step) (*yaml.Node, string) {
	if rest, covers := x.covers(path); covers && len(rest) == 0 {
		return x.operation, "value"
	}
	parent, _ := x.find(path[:len(path)-1])
	return parent, path[len(path)-1].key
}

// set changes a value in the file that sets it. If the new value is nil, set removes it.
func (p *placer) set(path []step, before, after *yaml.Node) error {
	for _, x := range p.fragments {
		parent, key := holderOf(x, path)
		i := yamlnode.Field(parent, key)
		if i < 0 {
			continue
		}
		if !yamlnode.Same(parent.Content[i], before) || after == nil && parent == x.operation {
			break // something changes the value afterwards, or an operation would have no value
		}
		if err := p.change(x); err != nil {
			return err
		}
		if after == nil {
			yamlnode.Remove(parent, key)
		} else {
			parent.Content[i] = yamlnode.Unplaced(after)
		}
		return nil
	}
	return noPlace(path)
}

// add writes a value that no file sets yet.
func (p *placer) add(path []step, value *yaml.Node) error {
	x := p.placeFor(path)
	if x == nil {
		return noPlace(path)
	}
	if err := p.change(*x); err != nil {
		return err
	}
	last := len(path) - 1
	parent, _ := x.follow(path[:last], true)
	if parent == nil || parent.Kind != yaml.MappingNode {
		return noPlace(path)
	}
	out := yamlnode.Unplaced(value)
	if x.removes(path) && out.Kind == yaml.MappingNode {
		out.Content = append(replacing().Content, out.Content...)
	}
	yamlnode.Put(parent, path[last].key, out)
	return nil
}

// placeFor returns the fragment for a new value: the JSON patch that sets the mapping around it, the patch
// that removes the field, or the list that has the element around it. Else it is the object, or if other
// directories share its file, a patch that only this directory uses.
func (p *placer) placeFor(path []step) *fragment {
	var objects []*fragment
	for i := range p.fragments {
		x := &p.fragments[i]
		if x.operation == nil {
			objects = append(objects, x)
		} else if rest, covers := x.covers(path); covers && len(rest) > 0 {
			return x
		}
	}
	if len(objects) == 0 {
		return nil
	}
	inElement := len(path)
	for inElement > 0 && !path[inElement-1].element {
		inElement--
	}
	for _, x := range objects {
		if x.removes(path) {
			return x
		}
		if element, _ := x.find(path[:inElement]); inElement > 0 && element != nil {
			return x
		}
	}
	object := objects[len(objects)-1]
	own := slices.IndexFunc(objects, func(x *fragment) bool { return p.others(x.sharedWith()) == nil })
	if own >= 0 && p.others(object.sharedWith()) != nil {
		return objects[own]
	}
	return object
}

// replacing returns a mapping of a patch that replaces what the base has, as the null in its place did.
func replacing() *yaml.Node {
	out := yamlnode.NewMapping()
	yamlnode.SetString(out, "$patch", "replace", 0)
	return out
}

func noPlace(path []step) error { return fmt.Errorf("%s: %w", pathOf(path), ErrNoPlace) }
