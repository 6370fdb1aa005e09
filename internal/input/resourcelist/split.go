package resourcelist

import (
	"bytes"
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// pieces is a ResourceList cut by lines.
type pieces struct {
	// rest is the list without its items.
	rest  []byte
	items []item // without nodes and hashes
	// indent is the column of the dashes of the items, counted from 0.
	indent int
	// after has the comments after the last item.
	after []byte
}

// split cuts a ResourceList into its items. It reports false if it cannot find the items
// by lines alone.
//
// A line with a dash at the column of the items begins an item, except inside quotes or
// brackets. In that case, the text before it ends with an open quote or bracket, so it is
// not valid YAML.
func split(text []byte) (pieces, bool) {
	if bytes.ContainsRune(text, '\r') || !bytes.HasSuffix(text, []byte("\n")) {
		return pieces{}, false
	}
	var p pieces
	s := section{text: text}
	at := 0
	for line := range bytes.Lines(text) {
		from := at
		at += len(line)
		switch {
		case s.open && s.addLine(line, from):
		case s.open && len(s.items) == 0, s.begun && isItems(line): // another form, or a duplicate key
			return pieces{}, false
		case isItems(line):
			s.begun, s.open, s.comments = true, true, -1
		case s.open:
			s.close(from)
			fallthrough
		default:
			if !fits(line) {
				return pieces{}, false
			}
			p.rest = append(p.rest, line...)
		}
	}
	if s.open {
		s.close(at)
	}
	p.items, p.indent, p.after = s.texts(), s.indent, text[s.end:s.after]
	return p, len(p.items) > 0
}

// section is the part of the text with the items, while split reads it.
type section struct {
	text        []byte
	begun, open bool
	indent      int
	items       []start
	// comments is where the last comments begin, or -1 if the last line that is not empty
	// is not a comment.
	comments int
	// end is the end of the last item, and after is the end of the comments that follow
	// it.
	end, after int
}

// start is where an item begins, and where the comments above it begin.
type start struct{ comments, item int }

// addLine reads a line of the items, which begins at an offset. It reports false for a
// line that is not part of the items.
func (s *section) addLine(line []byte, at int) bool {
	text := bytes.TrimLeft(line, " ")
	indent := len(line) - len(text)
	comment, blank := text[0] == '#', text[0] == '\n'
	if len(s.items) == 0 && !comment && !blank {
		s.indent = indent
	}
	switch {
	case blank:
	case comment && (indent <= s.indent || len(s.items) == 0):
		if s.comments < 0 {
			s.comments = at
		}
	case indent == s.indent && isElement(text):
		above := at
		if s.comments >= 0 {
			above = s.comments
		}
		s.items, s.comments = append(s.items, start{above, at}), -1
	case indent > s.indent && len(s.items) > 0:
		s.comments = -1
	default:
		return false
	}
	return true
}

// close ends the items. Comments that are not indented belong to the text that follows.
func (s *section) close(at int) {
	s.open, s.end, s.after = false, at, at
	if s.comments >= 0 {
		s.end = s.comments
	}
}

// texts returns the items with their texts.
func (s *section) texts() []item {
	out := make([]item, len(s.items))
	for i, from := range s.items {
		end := s.end
		if i+1 < len(s.items) {
			end = s.items[i+1].comments
		}
		out[i] = item{before: s.text[from.comments:from.item], text: s.text[from.item:end]}
	}
	return out
}

func isItems(line []byte) bool { return string(bytes.TrimRight(line, " \n")) == "items:" }

func isElement(line []byte) bool { return line[0] == '-' && (line[1] == ' ' || line[1] == '\n') }

// fits reports whether goldenarch can read a line around the items without the items. The
// line is indented, empty, a comment or an element of another list, or it begins with a
// plain key. Document markers, directives, brackets and quotes do not fit.
func fits(line []byte) bool {
	if line[0] == ' ' || line[0] == '#' || line[0] == '\n' || isElement(line) {
		return true
	}
	key, _, ok := bytes.Cut(line, []byte(":"))
	for _, b := range key {
		ok = ok && (b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z')
	}
	return ok && len(key) > 0
}

// ErrAnchors is the error for a ResourceList whose aliases goldenarch cannot expand: an
// anchor contains itself, or the anchors expand to too many values.
var ErrAnchors = errors.New("a YAML anchor of the ResourceList contains itself, or its anchors expand to more than 100,000 values: write the values out")

// maxExpanded is the total number of nodes to which the aliases of a list may expand.
const maxExpanded = 100_000

// boundEach makes each part of a list independent of the others, so that goldenarch can
// write, move and edit it separately.
func boundEach(parts []*yaml.RNode) error {
	budget := maxExpanded
	return boundWithin(&budget, parts)
}

// boundWithin does what boundEach does, and subtracts each value that it expands from the
// budget.
func boundWithin(budget *int, parts []*yaml.RNode) error {
	for _, part := range parts {
		if part.IsNil() {
			continue
		}
		if err := bound.Nested(part.YNode()); err != nil {
			return err
		}
		b := binder{anchors: map[string]*yaml.Node{}, budget: budget}
		if err := b.node(part.YNode()); err != nil {
			return err
		}
	}
	return nil
}

// binder replaces each alias in a part of a list if its anchor is not before it in the same
// part. goldenarch may not write the rest of the list, may write it later, or may remove
// it. In YAML, an alias refers to the last anchor of its name. So an anchor that the list
// defines again does not count.
type binder struct {
	anchors map[string]*yaml.Node // the last written anchor of each name
	budget  *int                  // how many more nodes it may expand to
}

func (b *binder) node(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		if n.Alias != nil && b.anchors[n.Value] == n.Alias {
			return nil
		}
		return b.expand(n)
	}
	if n.Anchor != "" {
		b.anchors[n.Anchor] = n
	}
	for _, child := range n.Content {
		if err := b.node(child); err != nil {
			return err
		}
	}
	return nil
}

// expand replaces an alias with its value.
func (b *binder) expand(n *yaml.Node) error {
	value, err := b.value(n)
	if err != nil {
		return err
	}
	value.HeadComment, value.LineComment, value.FootComment = n.HeadComment, n.LineComment, n.FootComment
	if value.Kind != yaml.ScalarNode && value.Style&yaml.FlowStyle == 0 {
		value.LineComment = "" // a comment cannot follow a block
	}
	value.Line, value.Column = n.Line, n.Column
	*n = *value
	return nil
}

// value returns a copy of a node without aliases, anchors and comments.
func (b *binder) value(n *yaml.Node) (*yaml.Node, error) {
	if *b.budget--; *b.budget < 0 {
		return nil, ErrAnchors
	}
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil {
			return nil, ErrAnchors
		}
		return b.value(n.Alias)
	}
	out := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	for _, child := range n.Content {
		value, err := b.value(child)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, value)
	}
	return out, nil
}

// ErrShape is the error for a ResourceList that kyaml would read only in part: one of its
// own keys is duplicated, or is or has an alias or a merge key.
var ErrShape = errors.New("goldenarch cannot read all of the ResourceList")

// shaped reports what kyaml would silently leave out of a ResourceList. kyaml reads only
// the first of two equal keys. It does not follow an alias in place of the items, and it
// ignores the fields of a merge key. kyaml itself reports text that is not YAML.
func shaped(text []byte) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil // kyaml says what is wrong
	}
	seen := map[string]bool{}
	for key, value := range yamlnode.Pairs(doc.Content[0]) {
		switch {
		case key.Kind != yaml.ScalarNode, key.Tag == "!!merge":
			return fmt.Errorf("%w: line %d has an alias or a merge key in the place of a key: write the key out", ErrShape, key.Line)
		case seen[key.Value]:
			return fmt.Errorf("%w: duplicate key %q in line %d: remove one of them", ErrShape, key.Value, key.Line)
		case value.Kind == yaml.AliasNode && frameworkKeys[key.Value]:
			return fmt.Errorf("%w: %q in line %d is an alias: write the value out", ErrShape, key.Value, key.Line)
		}
		seen[key.Value] = true
	}
	return nil
}

// frameworkKeys are the keys of a ResourceList that kyaml reads by their text or content.
var frameworkKeys = map[string]bool{"apiVersion": true, "kind": true, "metadata": true, "items": true}
