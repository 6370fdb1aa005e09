package kustomization

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/regular"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
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

// Located returns the findings about built objects with the file and the line that set
// their field: in the file of the object, or in a patch. It finds a template by its name,
// because a patch can change the order. A build has no lines, but a pull request shows a
// finding only at a line.
func Located(builds []Built, list finding.List) finding.List {
	return new(Session).Located(builds, list)
}

// locator finds the places of findings. It keeps what it has read.
type locator struct {
	session   *Session
	items     []object.Index            // of each build
	fragments map[string]*fragmentIndex // by the path of the build
	built     map[*yaml.RNode]*yaml.Node
}

func newLocator(s *Session, builds []Built) *locator {
	out := &locator{session: s, fragments: map[string]*fragmentIndex{}, built: map[*yaml.RNode]*yaml.Node{}}
	for _, b := range builds {
		out.items = append(out.items, object.NewIndex(b.Items))
	}
	return out
}

func (l *locator) locate(b Built, item *yaml.RNode, f finding.Finding) finding.Finding {
	root, err := realDir(b.Path)
	if err != nil {
		return f
	}
	built := l.asBuilt(b, item)
	if built == nil {
		return f
	}
	index := l.fragments[b.Path]
	if index == nil {
		index = fragmentIndexOf(l.session, b.Path, root)
		l.fragments[b.Path] = index
	}
	at, line, exact := nearest(index.relevant(item, f.Object.File), built, cmp.Or(f.Cause, f.Field))
	if !exact {
		if set, is := index.imageEntry(built, cmp.Or(f.Cause, f.Field)); is {
			at, line = set, set.line(set.node)
		}
	}
	if line == 0 {
		return f
	}
	f.Line = line
	if file := index.shown[at.path]; file != filepath.ToSlash(filepath.Clean(f.Object.File)) {
		f.File = file
	}
	return f
}

// asBuilt returns an item as the build gave it, before goldenarch changed it.
func (l *locator) asBuilt(b Built, item *yaml.RNode) *yaml.Node {
	if n, known := l.built[item]; known {
		return n
	}
	l.built[item] = item.YNode() // also of a listed configuration, which no run changes
	if before, changed := b.Texts.Before(item); changed {
		l.built[item] = yamlNode([]byte(before))
	}
	return l.built[item]
}

// nearest returns the fragment that sets a field, and its line; 0 if no fragment does. If
// none sets the field, it takes the nearest parent.
func nearest(all []fragment, built *yaml.Node, field string) (of fragment, line int, exact bool) {
	steps, values := stepsTo(built, field)
	for n := len(steps); n >= 0; n-- {
		var found []fragment
		var lines []int
		for _, x := range all {
			value, line := x.value(steps[:n])
			switch {
			case value == nil:
			case n > 0 && yamlnode.Same(value, values[n]):
				return x, line, n == len(steps) // nothing changes it afterwards
			default:
				found, lines = append(found, x), append(lines, line)
			}
		}
		if len(found) == 0 {
			continue
		}
		// Several fragments set parts of a mapping, and the object has most of it. The last
		// patch of a list replaces all of it.
		if slices.ContainsFunc(steps[:n], func(s step) bool { return s.element }) {
			return found[0], lines[0], false
		}
		return found[len(found)-1], lines[len(lines)-1], false
	}
	return fragment{}, 0, false
}

// imageEntry returns the entry of images that sets a field.
func (x *fragmentIndex) imageEntry(built *yaml.Node, field string) (fragment, bool) {
	_, values := stepsTo(built, field)
	if len(values) == 0 || values[len(values)-1] == nil || values[len(values)-1].Kind != yaml.ScalarNode {
		return fragment{}, false
	}
	for _, entry := range x.images {
		if entry.sets(values[len(values)-1].Value) {
			return entry, true
		}
	}
	return fragment{}, false
}

// kustomizationOf reads the kustomization of a directory, and returns its file.
func kustomizationOf(dir string) (string, types.Kustomization, bool) {
	path := kustomizationFile(dir)
	if path == "" {
		return "", types.Kustomization{}, false
	}
	data, err := regular.Read(path)
	if err != nil {
		return "", types.Kustomization{}, false
	}
	k, ok := decode(data)
	return path, k, ok
}
