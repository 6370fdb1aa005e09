package yamledit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Update returns the text of a YAML document with the values of a tree that was read from
// it, or from a text around it, and then edited. The text must contain one document, and may
// begin with a byte order mark, comments, directives and a marker. The parts whose values do
// not change keep their bytes. The error is an [Error].
//
// The elements of the tree's lists still have the positions at which they were read, and new
// elements have none. So Update compares no element with any other: its work grows with the
// text alone. A tree from elsewhere must have no positions. Its elements are compared.
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
	want := edited
	if want.Kind == yaml.DocumentNode && len(want.Content) == 1 {
		want = want.Content[0]
	}
	if err := yamlnode.CheckSize(want); err != nil {
		return nil, nil, &Error{Line: 1, Problem: err.Error(), Fix: fixByHand}
	}
	top, err := scan(text, root)
	if err != nil {
		if yamlnode.Same(root, want) {
			return text, nil, nil // nobody needs to find anything
		}
		return nil, nil, err
	}
	e := &edit{text: text, top: top, aliased: aliased(root), lines: linesBefore(root, want), lineBreak: lineBreakOf(text)}
	if err := e.change(e.top, want); err != nil {
		return nil, nil, err
	}
	if len(e.splices) == 0 {
		return text, nil, nil
	}
	out, done := e.apply()
	if err := verify(out, want); err != nil {
		return nil, nil, err
	}
	return out, done, nil
}

// Begin returns a text that has comments at most, with the fields of a mapping behind it.
func Begin(text []byte, mapping *yaml.Node) ([]byte, error) {
	if len(mapping.Content) == 0 {
		return text, nil
	}
	s := style{lineBreak: lineBreakOf(text), learned: usual}
	out := bytes.Clone(text)
	if len(out) > 0 && lineStart(out, len(out)) < len(out) {
		out = append(out, s.lineBreak...)
	}
	out = append(out, joined(s.block(mapping, 0), s)+s.lineBreak...)
	return out, verify(out, mapping)
}

// read returns the root of the only document in a text.
func read(text []byte) (*yaml.Node, error) {
	if !utf8.Valid(text) {
		return nil, &Error{Line: 1, Problem: "the text is not UTF-8", Fix: "save it as UTF-8"}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(WithoutVersion(text), &doc); err != nil {
		return nil, &Error{Line: yamlnode.ErrorLine(err), Problem: fmt.Sprintf("the text is not valid YAML (%v)", err), Fix: "correct it"}
	}
	if len(doc.Content) != 1 {
		return nil, &Error{Line: 1, Problem: "the document is empty", Fix: fixByHand}
	}
	if err := yamlnode.CheckSize(&doc); err != nil {
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
	if root, err := read(text); err != nil || !yamlnode.Same(root, want) {
		return &Error{Line: 1, Problem: "the edited text would not say what was decided", Fix: fixByHand}
	}
	return nil
}

// aliased returns the nodes to which aliases refer.
func aliased(n *yaml.Node) map[*yaml.Node]bool {
	out := map[*yaml.Node]bool{}
	yamlnode.Walk(n, func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode {
			out[n.Alias] = true
		}
	})
	return out
}

// edit has the changes to a text.
type edit struct {
	text      []byte
	top       *position
	aliased   map[*yaml.Node]bool
	lines     int      // to add to the line of a wanted node, for that in the text
	whole     *learned // the style of the whole document
	lineBreak string   // of new lines
	splices   []Splice
}

// Splice replaces the bytes of a text between two offsets.
type Splice struct {
	From, To int
	Text     string

	// begins is the line break to write before the text, unless the text already begins a
	// line.
	begins string
}

func (e *edit) splice(from, to int, text string) {
	e.splices = append(e.splices, Splice{From: from, To: to, Text: text})
}

// apply returns the text with all changes, and what they are. At the same offset, it inserts
// text before it removes text.
func (e *edit) apply() ([]byte, []Splice) {
	slices.SortStableFunc(e.splices, func(a, b Splice) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(min(a.To-a.From, 1), min(b.To-b.From, 1)))
	})
	var out []byte
	var done []Splice
	at := 0
	for _, s := range e.splices {
		if s.From < at { // inside a removed part
			s.Text = ""
		} else {
			out = append(out, e.text[at:s.From]...)
			if s.begins != "" && len(out) > 0 && lineStart(out, len(out)) < len(out) {
				s.Text = s.begins + s.Text
			}
			out = append(out, s.Text...)
		}
		if last := len(done) - 1; last >= 0 && s.From <= done[last].To {
			done[last].To = max(done[last].To, s.To)
			done[last].Text += s.Text
		} else {
			done = append(done, s)
		}
		at = max(at, s.To)
	}
	return append(out, e.text[at:]...), done
}

func (e *edit) refuse(at int, problem, fix string) error {
	return &Error{Line: lineAt(e.text, at), Problem: problem, Fix: fix}
}

// change edits a node and the nodes below it so that it equals another. It goes through both
// trees once, and compares whole values only where the text shares or repeats them.
func (e *edit) change(p *position, want *yaml.Node) error {
	n := p.node
	shared := n.Kind == yaml.AliasNode || e.aliased[n]
	if !shared && len(n.Content) > 0 && len(want.Content) > 0 && n.Kind == want.Kind {
		switch n.Kind {
		case yaml.MappingNode:
			return e.changeFields(p, want)
		case yaml.SequenceNode:
			return e.changeElements(p, want)
		case yaml.DocumentNode, yaml.ScalarNode, yaml.AliasNode:
		}
	}
	switch {
	case yamlnode.Same(n, want):
		return nil
	case n.Kind == yaml.AliasNode:
		return e.refuse(p.start, fmt.Sprintf("the alias *%s is where an edit must go", n.Value), writeOut)
	}
	if err := e.mayGo(p); err != nil {
		return err
	}
	want = yamlnode.Dealias(want)
	if empty, ok := emptyText(want, n.Kind); ok && p.isBlock() && e.clear(p, empty) {
		return nil
	}
	e.replace(p, want)
	return nil
}

// mayGo fails if a value to remove has an anchor, and an alias elsewhere needs the anchor.
func (e *edit) mayGo(p *position) error {
	if e.aliased[p.node] {
		return e.refuse(p.start, fmt.Sprintf("the anchor &%s is where an edit must go, and aliases share its value", p.node.Anchor), "write the values out")
	}
	for _, entry := range p.entries {
		if err := e.mayGo(entry.value); err != nil {
			return err
		}
	}
	return nil
}

// wantedFields returns the fields of a wanted mapping by the identity of their keys.
func (e *edit) wantedFields(p *position, want *yaml.Node) (map[string]*yaml.Node, error) {
	wanted := map[string]*yaml.Node{}
	for key, value := range yamlnode.Pairs(want) {
		if yamlnode.IsMerge(key) {
			return nil, e.refuse(p.start, "a merge key (<<) is where an edit must go", writeOut)
		}
		wanted[yamlnode.KeyID(key)] = value
	}
	return wanted, nil
}

// dropInherited removes from the wanted fields those that a merge key brings. It fails for one
// that must change.
func (e *edit) dropInherited(p *position, inherited, wanted map[string]*yaml.Node, has map[string]int) error {
	for id := range inherited {
		if _, ok := has[id]; ok {
			continue
		}
		if value, ok := wanted[id]; !ok || !yamlnode.Same(inherited[id], value) {
			return e.refuse(p.start, "a merge key (<<) brings a field that must change", writeOut)
		}
		delete(wanted, id)
	}
	return nil
}

// changeFields changes a mapping that has fields into another.
func (e *edit) changeFields(p *position, want *yaml.Node) error {
	if yamlnode.SameKeys(p.node, want) {
		for i, entry := range p.entries {
			if err := e.change(entry.value, want.Content[2*i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	if (yamlnode.Field(p.node, "<<") >= 0 || yamlnode.HasRepeatedKey(p.node)) && yamlnode.Same(p.node, want) {
		return nil
	}
	inherited, err := e.inherited(p)
	if err != nil {
		return err
	}
	wanted, err := e.wantedFields(p, want)
	if err != nil {
		return err
	}
	has := map[string]int{}
	gone := make([]bool, len(p.entries))
	for i, entry := range p.entries {
		if yamlnode.IsMerge(entry.key.node) {
			continue
		}
		id := yamlnode.KeyID(entry.key.node)
		if _, twice := has[id]; twice { // YAML readers differ on which value they use
			return e.refuse(entry.at, fmt.Sprintf("duplicate key %q", entry.key.node.Value), "remove one of them")
		}
		has[id] = i
		value, ok := wanted[id]
		if !ok {
			if inherited[id] != nil {
				return e.refuse(entry.at, "a merge key (<<) brings a field that must go", writeOut)
			}
			gone[i] = true
			continue
		}
		if err := e.change(entry.value, value); err != nil {
			return err
		}
	}
	if err := e.dropInherited(p, inherited, wanted, has); err != nil {
		return err
	}
	return e.arrange(arrangement{position: p, gone: gone, fresh: freshFields(want, wanted, has)})
}

// freshFields returns the wanted fields of a mapping that the text does not have, where the mapping has them.
func freshFields(want *yaml.Node, wanted map[string]*yaml.Node, has map[string]int) []fresh {
	var out []fresh
	last := -1
	for key, value := range yamlnode.Pairs(want) {
		id := yamlnode.KeyID(key)
		at, ok := has[id]
		switch {
		case ok:
			last = max(last, at)
		case wanted[id] != nil:
			out = append(out, fresh{after: last, key: key, value: value})
			delete(wanted, id) // write a duplicate key only once
		}
	}
	return out
}

// inherited returns the fields from merge keys.
func (e *edit) inherited(p *position) (map[string]*yaml.Node, error) {
	bring := &yaml.Node{Kind: yaml.MappingNode}
	for _, entry := range p.entries {
		if yamlnode.IsMerge(entry.key.node) {
			bring.Content = append(bring.Content, entry.key.node, entry.value.node)
		}
	}
	out, ok := yamlnode.FieldsByKey(bring)
	if !ok {
		return nil, e.refuse(p.start, "goldenarch cannot follow the merge key (<<)", writeOut)
	}
	return out, nil
}

// changeElements changes a list that has elements into another.
func (e *edit) changeElements(p *position, want *yaml.Node) error {
	pairs := e.align(p.node.Content, want.Content)
	list := arrangement{position: p, gone: make([]bool, len(p.entries))}
	for i := range list.gone {
		list.gone[i] = true
	}
	last := -1
	for j, value := range want.Content {
		i := pairs[j]
		if i < 0 {
			list.fresh = append(list.fresh, fresh{after: last, value: value})
			continue
		}
		last, list.gone[i] = i, false
		if err := e.change(p.entries[i].value, value); err != nil {
			return err
		}
	}
	return e.arrange(list)
}

// replace replaces the value of a node.
func (e *edit) replace(p *position, want *yaml.Node) {
	style := e.styleIn(p)
	if p.ended {
		// The last line break belongs both to the value and to its line.
		size := 1
		if bytes.HasSuffix(e.text[:p.end], []byte("\r\n")) {
			size = 2
		}
		p.end, p.ended = p.end-size, false
	}
	switch {
	case p.parent == nil:
		e.splice(p.start, p.end, style.brackets(want))
	case !p.parent.flow && !inBrackets(want) && !style.json:
		e.replaceByBlock(p, want, style)
	case !e.replaceLines(p, want, style):
		e.replaceText(p, valueText(p, want, style))
	}
}

// valueText returns the text of a value to write in one line. A string keeps the quotes of
// the old value.
func valueText(p *position, want *yaml.Node, s style) string {
	if want.Kind == yaml.ScalarNode && want.ShortTag() == yaml.NodeTagString && p.node.Kind == yaml.ScalarNode && !s.json {
		if old := p.node.Style & quotes; old != 0 && !strings.ContainsAny(want.Value, "\r\n") {
			return encode(want, old, p.inFlow())
		}
	}
	if p.parent != nil {
		s.quoting = *p.parent.quotes()
		if p.written() {
			s.texts = 0
		}
	}
	if want.Kind == yaml.ScalarNode {
		return s.scalar(want, p.inFlow())
	}
	return s.brackets(want)
}

// replaceText replaces a node with a text to write in one line.
func (e *edit) replaceText(p *position, text string) {
	in := p.entry()
	switch {
	case p.isBlock():
		e.splice(in.after, p.end, " "+text)
	case p.written():
		if head := p.content + len(e.header(p)); p.node.Style&blocks != 0 && bytes.IndexByte(e.text[head:lineEnd(e.text, head)], '#') >= 0 {
			e.splice(lineEnd(e.text, head), p.end, "") // the comment behind the indicators stays
			e.splice(p.start, head, text)
			return
		}
		e.splice(p.start, p.end, text)
	default:
		e.splice(in.after, in.after, " "+text)
	}
}

// replaceByBlock replaces a node with lines.
func (e *edit) replaceByBlock(p *position, want *yaml.Node, s style) {
	in, parent := p.entry(), p.parent
	if !p.isBlock() && p.written() && bytes.IndexByte(e.text[in.after:p.start], '#') >= 0 {
		// The comments between the key and the value stay. So the value begins its line.
		column := p.start - lineStart(e.text, p.start)
		e.splice(p.start, p.end, joined(s.block(want, column), s))
		return
	}
	if p.isBlock() && p.node.Style&yaml.TaggedStyle == 0 && (p.column > parent.column || p.node.Kind == want.Kind) {
		e.splice(p.content, p.end, joined(s.block(want, p.column), s))
		return
	}
	if parent.node.Kind == yaml.SequenceNode {
		column := parent.column + 1 + s.gap
		e.splice(in.after, max(p.end, in.after), spaces(s.gap)+joined(s.block(want, column), s))
		return
	}
	column := parent.column + s.step
	if want.Kind == yaml.SequenceNode {
		column = parent.column + s.dash
	}
	lines := s.block(want, column)
	if p.isBlock() {
		e.splice(in.after, p.end, s.lineBreak+spaces(column)+joined(lines, s))
		return
	}
	if p.written() {
		e.splice(in.after, p.end, "")
	}
	gone := &position{node: &yaml.Node{Kind: yaml.ScalarNode}, start: p.start, content: p.content, end: p.end}
	e.putBehind(entry{at: in.at, after: in.after, key: in.key, value: gone}, lines, column, s)
}

// Error says why goldenarch cannot edit a text, and where the problem is.
type Error struct {
	// Line is the line of the text, counted from 1.
	Line int
	// Problem says what prevents the edit, and Fix says what the user can do.
	Problem, Fix string
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d: %s: %s", e.Line, e.Problem, e.Fix)
}

// Fixes that several problems have in common.
const (
	fixByHand = "make the edit by hand"
	writeOut  = "write the value out"
)

// styleIn returns the style for new entries of a collection: the style of its entries, or
// of the collections around it.
func (e *edit) styleIn(p *position) style {
	s := style{lineBreak: e.lineBreak, learned: unknown}
	for around := p; around != nil; around = around.parent {
		s.fill(around.observe(e.text))
	}
	if e.whole == nil {
		whole := unknown
		whole.search(e.text, e.top)
		e.whole = &whole
	}
	s.fill(*e.whole)
	s.fill(usual)
	s.quoting = *p.quotes()
	s.json = isJSON(p) || isJSON(e.top)
	return s
}
