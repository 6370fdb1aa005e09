package edit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// sourceFile is a file of a kustomization with its objects, or a patch that the
// kustomization has as a text.
type sourceFile struct {
	path  string // absolute, without links
	texts manifest.Texts
	items []*yaml.RNode
	// inline is the place of a patch in the kustomization at the path; nil for a file.
	inline *inlinePatch
	// json are the operations of a JSON patch, and data their text; nil for objects.
	json *yaml.Node
	data []byte
}

// newSource reads a text. One that is neither objects nor a JSON patch has nothing. Errors
// and annotations have the name.
func newSource(path, name string, text []byte) *sourceFile {
	file := &sourceFile{path: path}
	reader := manifest.Reader{}
	if items, err := reader.Parse(name, text); err == nil {
		file.items, file.texts = items, reader.Texts
	} else if list := yamlNode(text); list != nil && list.Kind == yaml.SequenceNode {
		file.json, file.data = list, text
	}
	return file
}

// objects returns the objects of a file, including the elements of a List.
func (f *sourceFile) objects() []*yaml.RNode {
	var out []*yaml.RNode
	for _, item := range f.items {
		out = append(out, kustomize.Expanded(item)...)
	}
	return out
}

// lineOf returns the line of the file that has a line of the text. Of a text in a kustomization only a
// block keeps its lines; any other has one line.
func (f *sourceFile) lineOf(line int) int {
	switch {
	case f.inline == nil:
		return line
	case f.inline.text.Style&yaml.LiteralStyle != 0:
		return f.inline.text.Line + line
	default:
		return f.inline.text.Line
	}
}

// sharedWith returns the file or directory whose users share the objects.
func (f *sourceFile) sharedWith() string {
	if f.inline != nil {
		return f.inline.in.dir
	}
	return f.path
}

// edits returns the files that hold the objects or the operations after their changes.
func (f *sourceFile) edits() ([]files.Change, error) {
	if f.json == nil {
		return f.texts.Edits(f.items)
	}
	text, err := yamledit.Update(f.data, f.json)
	return []files.Change{{Name: f.path, Before: f.data, After: text}}, err
}

// kustomizationFile is the text of a kustomization.
type kustomizationFile struct {
	dir, path     string // absolute, without links
	before, after []byte
	root          *yaml.Node
}

func newKustomization(dir, path string) *kustomizationFile {
	text := readText(path)
	return &kustomizationFile{dir, path, text, text, yamlNode(text)}
}

// inlinePatch is a patch that a kustomization has as a text.
type inlinePatch struct {
	in    *kustomizationFile
	list  string // patches, patchesJson6902 or patchesStrategicMerge
	index int
	text  *yaml.Node
}

// textIn returns an entry of a list in a kustomization, or the patch in it; nil if it is not there.
func textIn(root *yaml.Node, list string, index int) *yaml.Node {
	entries := yamlnode.Get(root, yamlnode.KeyInAnyCase(root, list))
	if entries == nil || index >= len(entries.Content) {
		return nil
	}
	entry := yamlnode.Root(entries.Content[index])
	if patch := yamlnode.Get(entry, yamlnode.KeyInAnyCase(entry, "patch")); patch != nil {
		return patch
	}
	return entry
}

// String returns the place as messages name it.
func (p *inlinePatch) String() string { return fieldpath.Element(p.list, p.index) }

// ErrInlineForm is the error of a patch whose text goldenarch would have to write in
// another form, so that every line of it would change.
var ErrInlineForm = errors.New("goldenarch edits a patch inside a kustomization only if it is a literal block (patch: |-) or in quotes in one line")

// set gives the patch another text in the form that it has.
func (p *inlinePatch) set(text string) error {
	form, before := p.text.Style, p.in.after
	p.text.Value = text
	after, err := yamledit.Update(before, p.in.root)
	if err != nil {
		return err
	}
	// Of a text in quotes, only one in one line shows what has changed.
	inLine := form&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && bytes.Count(after, []byte("\n")) == bytes.Count(before, []byte("\n"))
	if n := textIn(yamlNode(after), p.list, p.index); n == nil || n.Style != form || form != yaml.LiteralStyle && !inLine {
		return ErrInlineForm
	}
	p.in.after = after
	return nil
}

// yamlNode returns the value of a YAML text of one document, or nil if it cannot be read.
func yamlNode(text []byte) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) != 1 {
		return nil
	}
	return doc.Content[0]
}

// editsOf returns the edits of changed files, and of the kustomizations with changed patches. Errors
// name a file as it is shown.
func editsOf(changed []*sourceFile, shown func(file string) string) ([]files.Change, error) {
	var out []files.Change
	var lists []*kustomizationFile
	for _, file := range changed {
		edits, err := file.edits()
		switch {
		case file.inline != nil:
			if err == nil && len(edits) == 1 {
				lists = append(lists, file.inline.in)
				err = file.inline.set(string(edits[0].After))
			}
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", shown(file.path), file.inline, err)
			}
		case err != nil && file.json != nil:
			return nil, fmt.Errorf("%s: %w", shown(file.path), err)
		case err != nil:
			return nil, err // which says where it is
		default:
			out = append(out, edits...)
		}
	}
	for _, list := range lists {
		out = append(out, files.Change{Name: list.path, Before: list.before, After: list.after})
	}
	slices.SortFunc(out, func(a, b files.Change) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(out, func(a, b files.Change) bool { return a.Name == b.Name }), nil // a kustomization with several patches
}
