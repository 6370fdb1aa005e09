package edit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
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
	path  string                 // absolute, without links
	line  func(n *yaml.Node) int // of a node in the file
	texts manifest.Texts
	items []*yaml.RNode
	// inline is the place of a patch in the kustomization at the path; nil for a file.
	inline *inlinePatch
	// json are the operations of a JSON patch, and data their text; nil for objects.
	json *yaml.Node
	data []byte
}

// sharedWith returns the file or directory whose users share the objects.
func (f *sourceFile) sharedWith() string {
	if f.inline != nil {
		return f.inline.dir
	}
	return f.path
}

// targetName returns the name that the target of a patch states, "" if it states none or a
// pattern.
func targetName(target *types.Selector) string {
	if target == nil {
		return ""
	}
	name := strings.ReplaceAll(target.Name, `\`, "")
	if regexp.QuoteMeta(name) != target.Name {
		return ""
	}
	return name
}

// newSource reads a text. One that is neither objects nor a JSON patch has nothing. Errors
// and annotations have the name.
func newSource(path, name string, text []byte) *sourceFile {
	file := &sourceFile{path: path, line: ownLine}
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

// place orders the patches of a kustomization.
func (f *sourceFile) place() string {
	if f.inline == nil {
		return ""
	}
	return f.inline.String()
}

// edits returns the files that hold the objects or the operations after their changes.
func (f *sourceFile) edits() ([]files.Change, error) {
	if f.json == nil {
		return f.texts.Edits(f.items)
	}
	text, err := yamledit.Update(f.data, f.json)
	return []files.Change{{Name: f.path, Before: f.data, After: text}}, err
}

func sortedFiles(set map[*sourceFile]bool) []*sourceFile {
	return slices.SortedFunc(maps.Keys(set), func(a, b *sourceFile) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.place(), b.place()))
	})
}

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
func (p inlinePatch) String() string { return fieldpath.Element(p.field, p.index) }

// node returns the text in the kustomization, nil if it is not there.
func (p inlinePatch) node(root *yaml.Node) *yaml.Node {
	list := yamlnode.NonNull(yamlnode.Value(root, yamlnode.KeyInAnyCase(root, p.field)))
	if list == nil || p.index >= len(list.Content) {
		return nil
	}
	entry := list.Content[p.index]
	if entry.Kind == yaml.MappingNode {
		entry = yamlnode.NonNull(yamlnode.Value(entry, yamlnode.KeyInAnyCase(entry, "patch")))
	}
	if entry == nil || entry.Kind != yaml.ScalarNode {
		return nil
	}
	return entry
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
	n.Value = text
	out, err := yamledit.Update(kustomization, root)
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

var errNoRoot = errors.New("has no document")

// rootOf returns the root of a YAML text of one document.
func rootOf(text []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if len(doc.Content) != 1 {
		return nil, errNoRoot
	}
	return doc.Content[0], nil
}

// editsOf returns the edits of changed files, and of the kustomizations with changed patches. Errors
// name a file as it is shown.
func editsOf(changed map[*sourceFile]bool, shown func(file string) string) ([]files.Change, error) {
	var out []files.Change
	for _, file := range sortedFiles(changed) {
		edits, err := file.edits()
		switch {
		case file.inline == nil && err != nil && file.json != nil:
			return nil, fmt.Errorf("%s: %w", shown(file.path), err)
		case file.inline == nil && err != nil:
			return nil, err // which says where it is
		case file.inline == nil:
			out = append(out, edits...)
			continue
		case err == nil && len(edits) != 1:
			err = ErrNoPlace
		}
		if len(out) == 0 || out[len(out)-1].Name != file.path { // they are sorted by their paths
			before := readText(file.path)
			out = append(out, files.Change{Name: file.path, Before: before, After: before})
		}
		edit := &out[len(out)-1]
		if err == nil {
			edit.After, err = file.inline.with(edit.After, string(edits[0].After))
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", shown(file.path), file.inline, err)
		}
	}
	return out, nil
}
