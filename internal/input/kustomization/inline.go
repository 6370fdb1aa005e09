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
