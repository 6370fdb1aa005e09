package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/manifest/template"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// UnsafeError says that goldenarch cannot edit a file, and where the problem is.
type UnsafeError struct {
	File   string
	Item   *yaml.RNode
	Reason yamledit.Error // with the line of the file
}

// Error implements error.
func (e *UnsafeError) Error() string { return e.File + ": " + e.Reason.Error() }

// Edits returns the files with changed items, each with its whole text, in the order of
// the items. Unchanged parts keep their bytes. Edits ignores an item that kustomize built,
// and an item whose text it does not know. The error joins an [UnsafeError] for each item
// whose text it cannot edit.
func (t Texts) Edits(items []*yaml.RNode) ([]files.Change, error) {
	var texts []*fileText
	changed := map[*fileText][]part{}
	var failed []error
	for _, item := range items {
		from := t.sources[item]
		if from == nil || from.built || !from.isChanged(item) {
			continue
		}
		if from.crPart != nil && slices.ContainsFunc(changed[from.fileText], func(p part) bool { return p.from == from.from }) {
			continue // the first item of the document has the edits of all
		}
		text, done, err := t.textOf(items, item)
		if err == nil && from.crPart == nil && text != from.body() {
			err = checkEdit(from.body(), item)
		}
		if err != nil {
			failed = append(failed, from.failed(item, err))
			continue
		}
		if !slices.Contains(texts, from.fileText) {
			texts = append(texts, from.fileText)
		}
		changed[from.fileText] = append(changed[from.fileText], part{from.from, from.to, text, done})
	}
	if len(failed) > 0 {
		return nil, errors.Join(failed...)
	}
	var out []files.Change
	for _, file := range texts {
		if edit := file.with(changed[file]); string(edit.After) != string(edit.Before) {
			out = append(out, edit)
		}
	}
	return out, nil
}

// failed returns the error that the text of an item cannot be edited, with the line of the file.
func (s *origin) failed(item *yaml.RNode, err error) error {
	unsafe, ok := errors.AsType[*yamledit.Error](err)
	if !ok {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	at := *unsafe
	at.Line += strings.Count(s.text[:s.from], "\n")
	return &UnsafeError{File: s.name, Item: item, Reason: at}
}

// textOf returns the text of an item after its changes. For an item that is a part of a
// document, it is the text of the document. It also returns the edits, if it knows them.
func (t Texts) textOf(items []*yaml.RNode, item *yaml.RNode) (string, []yamledit.Splice, error) {
	from := t.sources[item]
	if from.crPart != nil {
		return t.partText(items, from)
	}
	return from.edited(item)
}

// part is a part of a file, with its new text.
type part struct {
	from, to int
	text     string
	edits    []yamledit.Splice // of the part; nil if nobody knows them
}

// checkEdit fails for a text in which a template engine gives a value that goldenarch decides on, and if a text of
// several lines in it has changed that is not a literal block.
func checkEdit(text string, item *yaml.RNode) error {
	after := longTexts(item.YNode())
	if !template.HasAction(text) && len(after) == 0 { // most objects
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(yamledit.WithoutVersion([]byte(text)), &doc); err != nil {
		return nil //nolint:nilerr // yamledit has read it
	}
	if by := template.Decided(&doc); by != nil && template.HasAction(text) {
		return &yamledit.Error{
			Line:    by.Line,
			Problem: "a template engine gives this value ({{ or {%), and goldenarch decides by it",
			Fix:     "edit what it is rendered from",
		}
	}
	for _, n := range longTexts(&doc) {
		if n.Style&yaml.LiteralStyle == 0 && !slices.ContainsFunc(after, func(is *yaml.Node) bool { return is.Value == n.Value }) {
			return &yamledit.Error{ // nobody could see in such a text what has changed
				Line: n.Line, Problem: "a text of several lines must change, and it is not a literal block (|)",
				Fix: "write it as the key, a colon and |, and then its lines",
			}
		}
	}
	return nil
}

// longTexts returns the texts of several lines in a tree.
func longTexts(tree *yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	yamlnode.Walk(tree, func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && hasLines(n.Value) {
			out = append(out, n)
		}
	})
	return out
}

// hasLines reports whether a text has more than one line.
func hasLines(text string) bool { return strings.Contains(strings.TrimRight(text, "\n"), "\n") }

// Body returns the original and the current text of an item, or "" if the text is unknown.
func (t Texts) Body(item *yaml.RNode) (before, after string, err error) {
	from := t.sources[item]
	if from == nil {
		return "", "", nil
	}
	after, _, err = from.edited(item)
	return from.body(), after, err
}

// Before returns the original text of an item, or "" if the text is unknown, and whether
// the item has changed since. Unlike [Texts.Body] it encodes nothing.
func (t Texts) Before(item *yaml.RNode) (text string, changed bool) {
	from := t.sources[item]
	if from == nil {
		return "", false
	}
	return from.body(), from.isChanged(item)
}

// into puts the content of an item at the place of a document.
func (h *crPart) into(doc *yaml.Node, item *yaml.RNode) error {
	at, err := yamlnode.Find(doc.Content[0], h.Steps)
	if err != nil {
		return err
	}
	want := item.YNode()
	if h.Version != "" {
		spec := yamlnode.Value(want, "spec")
		if outside := beyondSpec(want, crOf(yaml.NewMapRNode(nil).YNode(), h.Version)); outside != "" || spec == nil {
			return &yamledit.Error{
				Line: (*at).Line, Problem: fmt.Sprintf("the decision needs %s of the CR, and %s has only its spec", outside, fieldpath.Of(h.Steps)),
				Fix: "keep the whole CR there",
			}
		}
		want = spec
	}
	*at = yamlnode.Unplaced(want)
	return nil
}

// beyondSpec names a field outside of the spec that differs from the CR around a spec.
func beyondSpec(cr, around *yaml.Node) string {
	for key, value := range yamlnode.Pairs(cr) {
		key := key.Value
		if before := yamlnode.Value(around, key); key != "spec" && (before == nil || !yamlnode.Same(before, value)) {
			return key
		}
	}
	return ""
}

// partText returns the text of a document with the changes of all items that it holds, and its edits.
func (t Texts) partText(items []*yaml.RNode, of *origin) (string, []yamledit.Splice, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(yamledit.WithoutVersion([]byte(of.body())), &doc); err != nil {
		return "", nil, fmt.Errorf("read the document again: %w", err)
	}
	changed := slices.DeleteFunc(t.partsIn(items, of), func(item *yaml.RNode) bool { return !t.sources[item].isChanged(item) })
	if len(changed) == 0 {
		return of.body(), nil, nil
	}
	for _, item := range changed {
		if err := t.sources[item].crPart.into(&doc, item); err != nil {
			return "", nil, err
		}
	}
	text, done, err := yamledit.UpdateEdits([]byte(of.body()), &doc)
	return string(text), done, err
}

// partsIn returns the items that one document holds, in their order.
func (t Texts) partsIn(items []*yaml.RNode, of *origin) []*yaml.RNode {
	return slices.DeleteFunc(slices.Clone(items), func(item *yaml.RNode) bool {
		from := t.sources[item]
		return from == nil || from.crPart == nil || from.fileText != of.fileText || from.from != of.from
	})
}
