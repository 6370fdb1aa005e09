package kustomization

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// inlinePatch is the place of a patch that a kustomization has as a text.
type inlinePatch struct {
	dir   string // of the kustomization
	file  string // the kustomization itself
	field string // patches or patchesStrategicMerge
	index int
}

// ErrInlineForm is the error of a patch whose text goldenarch would have to write in
// another form, so that every line of it would change.
var ErrInlineForm = errors.New("goldenarch edits a patch inside a kustomization only if it is a literal block (patch: |-) or in quotes in one line")

// String returns the place as messages name it.
func (p inlinePatch) String() string { return fmt.Sprintf("%s[%d]", p.field, p.index) }

// node returns the text in the kustomization, nil if it is not there.
func (p inlinePatch) node(root *yaml.Node) *yaml.Node {
	list := yamlnode.NonNull(yamlnode.Value(root, p.field))
	if list == nil || p.index >= len(list.Content) {
		return nil
	}
	entry := list.Content[p.index]
	if entry.Kind == yaml.MappingNode {
		entry = yamlnode.NonNull(yamlnode.Value(entry, "patch"))
	}
	if entry == nil || entry.Kind != yaml.ScalarNode {
		return nil
	}
	return entry
}

// place orders the patches of a kustomization.
func (f *sourceFile) place() string {
	if f.inline == nil {
		return ""
	}
	return f.inline.String()
}

// source returns the objects of a patch.
func (p inlinePatch) source(text string) *sourceFile {
	file := &sourceFile{path: p.file, inline: &p}
	reader := manifest.Reader{}
	items, err := reader.Parse(p.file+" "+p.String(), []byte(text))
	if err != nil {
		return file // a JSON patch, which has no objects
	}
	file.items, file.texts = items, reader.Texts
	return file
}

// inlineEdits returns the kustomizations with the changed texts of their patches. Errors
// name a file as it is shown.
func inlineEdits(files []*sourceFile, shown func(file string) string) ([]manifest.FileEdit, error) {
	var out []manifest.FileEdit
	for i, file := range files {
		if file.inline == nil || i > 0 && files[i-1].path == file.path {
			continue
		}
		edit := manifest.FileEdit{Name: file.path, Before: readText(file.path)}
		edit.After = edit.Before
		for _, other := range files[i:] {
			if other.inline == nil || other.path != file.path {
				break
			}
			text, err := other.text()
			if err == nil {
				edit.After, err = other.inline.with(edit.After, text)
			}
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", shown(other.path), other.inline, err)
			}
		}
		out = append(out, edit)
	}
	return out, nil
}

// text returns the text of an inline patch after its changes.
func (f *sourceFile) text() (string, error) {
	if f.json != nil {
		return f.jsonText()
	}
	edits, err := f.texts.Edits(f.items)
	if err != nil {
		return "", err
	}
	if len(edits) != 1 {
		return "", ErrNoPlace
	}
	return string(edits[0].After), nil
}

// with returns the text of a kustomization with another text of the patch, in the form
// that the patch has.
func (p inlinePatch) with(kustomization []byte, text string) ([]byte, error) {
	root, err := rootOf(kustomization)
	if err != nil {
		return nil, err
	}
	n := p.node(root)
	if n == nil {
		return nil, ErrNoPlace
	}
	form := n.Style
	path := []string{p.field, strconv.Itoa(p.index)}
	if entry := yamlnode.Value(root, p.field).Content[p.index]; entry != n {
		path = append(path, "patch")
	}
	value := *n
	value.Value = text
	out, err := yamledit.Apply(kustomization, yamledit.Change{Path: path, Value: &value})
	if err != nil {
		return nil, err
	}
	if root, err = rootOf(out); err != nil {
		return nil, err
	}
	// Of a text in quotes, only one in one line shows what has changed.
	inLine := form&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && bytes.Count(out, []byte("\n")) == bytes.Count(kustomization, []byte("\n"))
	if n := p.node(root); n == nil || n.Style != form || form != yaml.LiteralStyle && !inLine {
		return nil, ErrInlineForm
	}
	return out, nil
}

// rootOf returns the root of a YAML text of one document.
func rootOf(text []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if len(doc.Content) != 1 {
		return nil, errors.New("has no document")
	}
	return doc.Content[0], nil
}

// change is an operation of a JSON patch (RFC 6902) that sets a value.
type change struct {
	at    []string   // the path in the object
	value *yaml.Node // a mapping with the value, below the key "value"
}

// jsonIn returns the operations of a JSON patch for the object, from last to first. The
// text is that of a file, or of an entry in the kustomization.
func (s *sources) jsonIn(dir string, patch types.Patch, inline inlinePatch) []objectSource {
	key, at := inline.file+"\x00"+inline.String()+"\x00json", &inline
	if patch.Path != "" {
		path, err := filepath.EvalSymlinks(filepath.Join(dir, patch.Path))
		if err != nil || isRemote(patch.Path) {
			return nil
		}
		key, at = path+"\x00json", nil
	}
	if s.files[key] == nil {
		file := &sourceFile{path: inline.file, inline: at, data: []byte(patch.Patch)}
		if at == nil {
			file.path = key[:len(key)-len("\x00json")]
			file.data = readText(file.path)
		}
		file.json = yamlNode(file.data)
		s.files[key] = file
	}
	file := s.files[key]
	if file.json == nil || file.json.Kind != yaml.SequenceNode || !s.isTarget(patch.Target) {
		return nil
	}
	var out []objectSource
	for _, operation := range slices.Backward(file.json.Content) {
		for _, x := range operationFragments(file.path, ownLine, operation) {
			out = append(out, objectSource{sourceFile: file, change: &change{at: x.at, value: operation}})
		}
	}
	return out
}

// isTarget reports whether a patch may be for the object: the build shows whether it is.
func (s *sources) isTarget(target *types.Selector) bool {
	if target == nil {
		return false
	}
	selector, err := types.NewSelectorRegex(target)
	return err == nil && selector.MatchGvk(resid.Gvk{Group: s.group, Version: s.version, Kind: s.kind})
}

// covers reports whether an operation sets the value at a path, or one around it. It
// returns the rest of the path inside of that value.
func (c *change) covers(path []step) ([]step, bool) {
	if len(c.at) > len(path) {
		return nil, false
	}
	for i, key := range c.at {
		step := path[i]
		switch {
		case step.element && i == len(c.at)-1 && step.name != "":
			// The index may be "-", or be another one after later operations.
			if nodeName(yamlnode.Get(c.value, "value")) != step.name {
				return nil, false
			}
		case key != step.key:
			return nil, false
		}
	}
	return path[len(c.at):], true
}

// isBelow reports whether an operation sets a value below a path.
func (c *change) isBelow(path []step) bool {
	if len(c.at) <= len(path) {
		return false
	}
	for i, step := range path {
		if c.at[i] != step.key {
			return false
		}
	}
	return true
}

// jsonText returns the text of a JSON patch after its changes.
func (f *sourceFile) jsonText() (string, error) {
	out, err := yamledit.Update(f.data, f.json)
	return string(out), err
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
		if name := yamlnode.Lookup(n, path); name != nil {
			return name.Value
		}
	}
	return ""
}
