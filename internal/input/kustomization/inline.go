package kustomization

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

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
