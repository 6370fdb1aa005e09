package yamledit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"

	"github.com/goldenarch/goldenarch/internal/bound"
)

// Edit returns the text of a YAML document with the values of a tree that may come from
// anywhere, such as a patch. It compares the tree with the text to find what must change.
// The text must contain one document, and may begin with a byte order mark, comments,
// directives and a marker. The parts whose values do not change keep their bytes. The error
// is an [Error].
func Edit(text []byte, edited *yaml.Node) ([]byte, error) {
	root, err := read(text)
	if err != nil {
		return nil, err
	}
	out, _, err := write(text, root, edited, false)
	return out, err
}

// Update returns the text of a YAML document with the values of a tree that was read from
// it, or from a text around it, and then edited. The elements of its lists still have the
// positions at which they were read, and new elements have none. So it compares no element
// with any other: its work grows with the text alone. Otherwise it is as [Edit].
func Update(text []byte, edited *yaml.Node) ([]byte, error) {
	out, _, err := UpdateEdits(text, edited)
	return out, err
}

// UpdateEdits also returns the edits of the text, in its order. They neither overlap nor
// touch.
func UpdateEdits(text []byte, edited *yaml.Node) ([]byte, []Splice, error) {
	root, err := read(text)
	if err != nil {
		return nil, nil, err
	}
	return write(text, root, edited, true)
}

// write writes the difference between the root of a text and a tree into the text.
// positioned says that the tree has the positions of the text.
func write(text []byte, root, edited *yaml.Node, positioned bool) ([]byte, []Splice, error) {
	want := edited
	if want.Kind == yaml.DocumentNode && len(want.Content) == 1 {
		want = want.Content[0]
	}
	if err := bound.Node(want); err != nil {
		return nil, nil, &Error{Line: 1, Problem: err.Error(), Fix: fixByHand}
	}
	e, err := plan(text, root, want, positioned)
	switch {
	case err != nil:
		return nil, nil, err
	case e == nil || len(e.splices) == 0:
		return text, nil, nil
	}
	out, done := e.apply()
	if err := verify(out, want); err != nil {
		return nil, nil, err
	}
	return out, done, nil
}

// plan finds the changes to a text. Without an edit, nothing changes.
func plan(text []byte, root, want *yaml.Node, positioned bool) (*edit, error) {
	top, err := scan(text, root)
	if err != nil {
		if yamlnode.Same(root, want) {
			return nil, nil // nobody needs to find anything
		}
		return nil, err
	}
	e := newEdit(text, top, root, want)
	if positioned {
		e.origin = originOf(root, want)
	}
	return e, e.run(want)
}

func newEdit(text []byte, top *place, root, want *yaml.Node) *edit {
	return &edit{text: text, Comparison: yamlnode.NewComparison(root, want), top: top, aliased: aliased(root), breaks: newLineBreaks(text)}
}

// run finds the changes for a tree.
func (e *edit) run(want *yaml.Node) error {
	err := e.change(e.top, want)
	if e.Exhausted() {
		return e.refuse(e.top.start, fmt.Sprintf("the document is too large to compare: more than %d steps", e.Budget()), splitDocument)
	}
	return err
}

// read returns the root of the only document in a text.
func read(text []byte) (*yaml.Node, error) {
	if !utf8.Valid(text) {
		return nil, &Error{Line: 1, Problem: "the text is not UTF-8", Fix: "save it as UTF-8"}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(WithoutVersion(text), &doc); err != nil {
		return nil, &Error{Line: errorLine(err), Problem: fmt.Sprintf("the text is not valid YAML (%v)", err), Fix: "correct it"}
	}
	if len(doc.Content) != 1 {
		return nil, &Error{Line: 1, Problem: "the document is empty", Fix: fixByHand}
	}
	if err := bound.Node(&doc); err != nil {
		return nil, &Error{Line: 1, Problem: err.Error(), Fix: fixByHand}
	}
	return doc.Content[0], nil
}

// WithoutVersion turns %YAML directives into comments: the reader refuses 1.2, and reads
// every version the same way. No byte moves.
func WithoutVersion(text []byte) []byte {
	directive := []byte("%YAML")
	if !bytes.Contains(text, directive) {
		return text
	}
	out := bytes.Clone(text)
	for at := lineStart(out, 0); at < len(out); at = nextLine(out, at) {
		if bytes.HasPrefix(out[at:], directive) {
			out[at] = '#'
		} else if first := bytes.TrimSpace(out[at:lineEnd(out, at)]); len(first) > 0 && first[0] != '#' && first[0] != '%' {
			break // the document has begun
		}
	}
	return out
}

// verify fails unless a text has the same values as a tree.
func verify(text []byte, want *yaml.Node) error {
	root, err := read(text)
	if err == nil {
		compared := yamlnode.NewComparison(root, want)
		if compared.Same(root, want) {
			return nil
		}
		if compared.Exhausted() {
			return &Error{
				Line: 1, Problem: fmt.Sprintf("the edited text is too large to compare: more than %d steps", compared.Budget()),
				Fix: splitDocument,
			}
		}
	}
	return &Error{Line: 1, Problem: "the edited text would not say what was decided", Fix: fixByHand}
}

// aliased returns the nodes to which aliases refer.
func aliased(n *yaml.Node) map[*yaml.Node]bool {
	out := map[*yaml.Node]bool{}
	var visit func(*yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode {
			out[n.Alias] = true
			return
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	visit(n)
	return out
}

// edit has the changes to a text.
type edit struct {
	*yamlnode.Comparison

	text    []byte
	top     *place
	aliased map[*yaml.Node]bool
	origin  *origin  // nil if the wanted tree was not read from the text
	whole   *learned // the style of the whole document
	breaks  lineBreaks
	splices []splice
}

// Splice replaces the bytes of a text between two offsets.
type Splice struct {
	From, To int
	Text     string
}

// splice replaces some bytes with a text.
type splice struct {
	from, to int
	text     string
	// begins is the line break to write before the text, unless the text already begins a
	// line.
	begins string
}

func (e *edit) splice(from, to int, text string) {
	e.splices = append(e.splices, splice{from: from, to: to, text: text})
}

// apply returns the text with all changes, and what they are. At the same offset, it inserts
// text before it removes text.
func (e *edit) apply() ([]byte, []Splice) {
	slices.SortStableFunc(e.splices, func(a, b splice) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(min(a.to-a.from, 1), min(b.to-b.from, 1)))
	})
	var out []byte
	var done []Splice
	at := 0
	for _, s := range e.splices {
		inserted := s.text
		switch {
		case s.from < at: // inside a removed part
			inserted = ""
		default:
			out = append(out, e.text[at:s.from]...)
			if s.begins != "" && len(out) > 0 && lineStart(out, len(out)) < len(out) {
				inserted = s.begins + inserted
			}
			out = append(out, inserted...)
		}
		if last := len(done) - 1; last >= 0 && s.from <= done[last].To {
			done[last].To = max(done[last].To, s.to)
			done[last].Text += inserted
		} else {
			done = append(done, Splice{From: s.from, To: s.to, Text: inserted})
		}
		at = max(at, s.to)
	}
	return append(out, e.text[at:]...), done
}

func (e *edit) refuse(at int, problem, fix string) error {
	return &Error{Line: lineAt(e.text, at), Problem: problem, Fix: fix}
}
