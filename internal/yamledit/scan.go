package yamledit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
)

// scanner follows a tree through its text.
type scanner struct {
	text []byte
	pos  int

	// known is an offset, and line and column are the reader's for it, counted from 1.
	known, line, column int

	path []string // of the node at the scanner
}

// lost is the value with which a scanner panics if its position differs from the reader's.
// [scan] recovers from it.
type lost struct{ *Error }

// scan returns the place of each node of a document.
func scan(text []byte, root *yaml.Node) (p *place, err error) {
	s := &scanner{text: text, line: 1, column: 1}
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case lost:
			p, err = nil, fault.Error
		default:
			panic(fault)
		}
	}()
	if bytes.HasPrefix(text, []byte(bom)) {
		s.pos, s.known = len(bom), len(bom)
	}
	s.head()
	p = s.node(root, nil, inBlock, -1)
	s.tail()
	return p, nil
}

// head skips the directives and the marker before a document.
func (s *scanner) head() {
	for s.skip(); s.pos < len(s.text) && s.text[s.pos] == '%' && s.pos == lineStart(s.text, s.pos); s.skip() {
		s.pos = lineEnd(s.text, s.pos)
	}
	if s.marker("---") {
		s.pos += len("---")
	}
}

// tail skips the text after a document.
func (s *scanner) tail() {
	if s.skip(); s.marker("...") {
		s.pos += len("...")
		s.skip()
	}
	if s.pos < len(s.text) {
		s.fail("the document ends here for the YAML reader, and more follows")
	}
}

func (s *scanner) marker(text string) bool {
	rest, is := bytes.CutPrefix(s.text[s.pos:], []byte(text))
	return is && s.pos == lineStart(s.text, s.pos) && (len(rest) == 0 || isBlank(rest[0]) || breakAt(rest, 0) > 0)
}

// skip skips blanks, comments and line breaks.
func (s *scanner) skip() {
	for s.pos < len(s.text) {
		switch b := s.text[s.pos]; {
		case isBlank(b):
			s.pos++
		case b == '#':
			s.pos = lineEnd(s.text, s.pos)
		case breakAt(s.text, s.pos) > 0:
			s.pos += breakAt(s.text, s.pos)
		case bytes.HasPrefix(s.text[s.pos:], []byte(bom)) && s.pos == lineStart(s.text, s.pos):
			s.pos += len(bom)
		default:
			return
		}
	}
}

// at fails unless the reader also says that a node begins at an offset.
func (s *scanner) at(n *yaml.Node, pos int) {
	for s.known < pos {
		if size := breakAt(s.text, s.known); size > 0 {
			s.known += size
			s.line, s.column = s.line+1, 1
			continue
		}
		_, size := utf8.DecodeRune(s.text[s.known:])
		s.known += size
		s.column++
	}
	if s.known != pos || s.line != n.Line || s.column != n.Column {
		s.lose(n)
	}
}

// lose fails because the scanner and the reader differ on a node.
func (s *scanner) lose(n *yaml.Node) {
	of := ""
	if len(s.path) > 0 {
		of = " of " + fieldpath.Of(s.path)
	}
	s.fail(fmt.Sprintf("goldenarch cannot follow the text to %s%s", formOf(n), of))
}

// formOf names the form of a node. It does not show the value, which may be a secret.
func formOf(n *yaml.Node) string {
	flow := n.Style&yaml.FlowStyle != 0
	switch {
	case n.Kind == yaml.AliasNode:
		return "the alias *" + n.Value
	case n.Kind == yaml.MappingNode && flow:
		return "the braces ({})"
	case n.Kind == yaml.MappingNode:
		return "the fields"
	case n.Kind == yaml.SequenceNode && flow:
		return "the brackets ([])"
	case n.Kind == yaml.SequenceNode:
		return "the list"
	case n.Style&blocks != 0:
		return "the text of several lines (| or >)"
	case n.Style&quotes != 0:
		return "the text in quotes"
	}
	return "the text without quotes"
}

// enter runs a scan of what is below a key or an index.
func (s *scanner) enter(step string, scan func()) {
	s.path = append(s.path, step)
	scan()
	s.path = s.path[:len(s.path)-1]
}

func (s *scanner) fail(problem string) {
	panic(lost{&Error{Line: lineAt(s.text, min(s.pos, len(s.text))), Problem: problem, Fix: fixByHand}})
}

// take skips an indicator.
func (s *scanner) take(indicator byte) {
	if s.skip(); !s.sees(indicator) {
		s.fail(fmt.Sprintf("there is no %q where the YAML reader has found one", indicator))
	}
	s.pos++
}

func (s *scanner) sees(b byte) bool { return s.pos < len(s.text) && s.text[s.pos] == b }

// node scans a node. column is the column of the block around it, or -1 outside any block.
func (s *scanner) node(n *yaml.Node, parent *place, flow bool, column int) *place {
	before := s.pos
	s.skip()
	p := &place{node: n, parent: parent, start: s.pos, flow: flow}
	s.properties(n)
	if n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&quoted == 0 {
		p.end = s.pos
		if s.pos == p.start { // the node has no text
			p.start, p.end = before, before
		}
		p.content, s.pos = p.end, p.end
		return p
	}
	s.at(n, p.start)
	s.skip()
	p.content = s.pos
	switch {
	case n.Kind == yaml.AliasNode:
		s.literally("*" + n.Value)
	case n.Kind == yaml.ScalarNode:
		s.scalar(p, column)
	case s.sees('{') && n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0:
		s.flowMapping(p)
	case s.sees('[') && n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle != 0:
		s.flowSequence(p)
	case n.Kind == yaml.MappingNode:
		s.blockMapping(p)
	case n.Kind == yaml.SequenceNode:
		s.blockSequence(p)
	case n.Kind == yaml.DocumentNode:
		s.fail("a document is inside another")
	}
	if p.end == 0 {
		p.end = s.pos
	}
	return p
}

// properties skips the anchor and the tag of a node, in any order.
func (s *scanner) properties(n *yaml.Node) {
	anchor := n.Anchor != ""
	tag := n.Style&yaml.TaggedStyle != 0 || n.Kind == yaml.ScalarNode
	for end := s.pos; ; end = s.pos {
		switch s.skip(); {
		case anchor && s.sees('&'):
			s.literally("&" + n.Anchor)
			anchor = false
		case tag && s.sees('!'):
			for s.pos < len(s.text) && !isBlank(s.text[s.pos]) && breakAt(s.text, s.pos) == 0 && !strings.ContainsRune(",]}", rune(s.text[s.pos])) {
				s.pos++
			}
			tag = false
		default:
			s.pos = end
			return
		}
	}
}

// literally skips a text.
func (s *scanner) literally(text string) {
	if !bytes.HasPrefix(s.text[s.pos:], []byte(text)) {
		s.fail(fmt.Sprintf("there is no %q where the YAML reader has found one", text))
	}
	s.pos += len(text)
}
