package yamledit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// scanner follows a tree through its text.
type scanner struct {
	text []byte
	pos  int

	// known is an offset, and line and column are the reader's for it, counted from 1.
	known, line, column int
}

// lost is the value with which a scanner panics if its position differs from the reader's.
// [scan] recovers from it.
type lost struct{ *Error }

// scan returns the place of each node of a document.
func scan(text []byte, root *yaml.Node) (p *position, err error) {
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
	rest, ok := bytes.CutPrefix(s.text[s.pos:], []byte(text))
	return ok && s.pos == lineStart(s.text, s.pos) && (len(rest) == 0 || isBlank(rest[0]) || breakAt(rest, 0) > 0)
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
		s.fail("a value is not where the YAML reader has found it")
	}
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
func (s *scanner) node(n *yaml.Node, parent *position, flow bool, column int) *position {
	before := s.pos
	s.skip()
	p := &position{node: n, parent: parent, start: s.pos, flow: flow}
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

var (
	blocks = yaml.LiteralStyle | yaml.FoldedStyle
	quotes = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
	quoted = blocks | quotes
)

// scalar scans a scalar. column is the column of the block around it.
func (s *scanner) scalar(p *position, column int) {
	switch style := p.node.Style; {
	case style&yaml.DoubleQuotedStyle != 0:
		s.doubleQuoted(p)
	case style&yaml.SingleQuotedStyle != 0:
		s.singleQuoted(p)
	case style&blocks != 0:
		s.block(p, column)
	default:
		s.plain(p.node.Value)
	}
}

func (s *scanner) doubleQuoted(p *position) {
	s.take('"')
	for !s.sees('"') {
		if s.sees('\\') {
			s.pos++
		}
		if s.pos++; s.pos >= len(s.text) {
			s.fail("a quote has no end")
		}
	}
	s.pos++
	s.verify(p)
}

func (s *scanner) singleQuoted(p *position) {
	s.take('\'')
	for {
		if s.sees('\'') {
			if s.pos++; !s.sees('\'') {
				break
			}
		}
		if s.pos++; s.pos >= len(s.text) {
			s.fail("a quote has no end")
		}
	}
	s.verify(p)
}

// verify fails unless the scanned token has the node's value.
func (s *scanner) verify(p *position) {
	token := string(s.text[p.content:s.pos])
	inner := token[1 : len(token)-1]
	if inner == p.node.Value && !strings.ContainsAny(inner, "\\'\r\n\u0085\u2028\u2029") {
		return
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(token), &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Value != p.node.Value {
		s.fail("a quoted text is not the one that the YAML reader has found")
	}
}

// plain skips a text without quotes. The reader has folded its lines: it turns a line
// break into a space, and each empty line into a line break.
func (s *scanner) plain(value string) {
	for i := 0; i < len(value); {
		breaks, next := s.fold()
		switch {
		case breaks == 1 && value[i] == ' ':
			s.pos, i = next, i+1
		case breaks > 1 && strings.HasPrefix(value[i:], strings.Repeat("\n", breaks-1)):
			s.pos, i = next, i+breaks-1
		case breaks == 0 && s.sees(value[i]):
			s.pos, i = s.pos+1, i+1
		default:
			s.fail("a text without quotes is not the one that the YAML reader has found")
		}
	}
}

// fold returns the number of line breaks at the scanner, and where the text continues.
func (s *scanner) fold() (breaks, next int) {
	for next = s.pos; next < len(s.text); {
		switch {
		case isBlank(s.text[next]):
			next++
		case breakAt(s.text, next) > 0:
			next += breakAt(s.text, next)
			breaks++
		default:
			return breaks, next
		}
	}
	return breaks, next
}

// block skips a literal or folded text (go.yaml.in/yaml/v3 scannerc.go:
// yaml_parser_scan_block_scalar).
func (s *scanner) block(p *position, column int) {
	indicators := headerAt(s.text, s.pos)
	indent, keep := 0, bytes.IndexByte(indicators, '+') > 0
	if digit := bytes.IndexAny(indicators, "123456789"); digit > 0 {
		indent = int(indicators[digit]-'0') + max(column, 0)
	}
	end := lineEnd(s.text, s.pos)
	s.pos = nextLine(s.text, s.pos)
	if indent == 0 {
		indent = max(s.deepest(), column+1, 1)
	}
	p.inner = indent
	for s.pos < len(s.text) {
		at := s.pos
		for at < len(s.text) && at-s.pos < indent && s.text[at] == ' ' {
			at++
		}
		switch size := breakAt(s.text, at); {
		case size > 0:
			s.pos = at + size
			continue
		case at == len(s.text):
			s.pos = at
		case at-s.pos == indent:
			end = lineEnd(s.text, at)
			s.pos = nextLine(s.text, at)
			continue
		}
		break
	}
	p.end = end
	if keep {
		p.end = max(s.pos, end)
		p.ended = p.end > 0 && p.end == lineStart(s.text, p.end)
	}
	s.pos = p.end
}

// deepest returns the indentation of the first line of a block scalar, or that of an empty
// line before it if that is deeper.
func (s *scanner) deepest() int {
	out := 0
	for at := s.pos; at < len(s.text); {
		from := at
		for at < len(s.text) && s.text[at] == ' ' {
			at++
		}
		out = max(out, at-from)
		size := breakAt(s.text, at)
		if size == 0 {
			break
		}
		at += size
	}
	return out
}

// blockMapping scans "key: value" lines.
func (s *scanner) blockMapping(p *position) {
	p.column = -1
	for key, value := range yamlnode.Pairs(p.node) {
		s.skip()
		if p.column < 0 {
			p.column = s.columnOf(s.pos)
		}
		p.add(s.field(p, key, value, inBlock, p.column))
	}
	s.closeBlock(p)
}

// field scans a field of a mapping: a key, its colon and the value after it. A key may have neither.
func (s *scanner) field(p *position, key, value *yaml.Node, flow bool, column int) entry {
	e := entry{at: s.pos}
	if s.sees('?') && s.isIndicator() {
		s.pos++
	}
	e.key = s.node(key, p, flow, column)
	end := s.pos
	if s.skip(); !s.sees(':') {
		s.pos = end
		e.after = end
		e.value = &position{node: value, parent: p, start: end, content: end, end: end, flow: flow}
		if !yamlnode.IsNull(value) {
			s.fail("a key has no colon where the YAML reader has found a value")
		}
		return e
	}
	s.pos++
	e.after = s.pos
	e.value = s.node(value, p, flow, column)
	return e
}

// blockSequence scans "- element" lines.
func (s *scanner) blockSequence(p *position) {
	p.column = -1
	for _, n := range p.node.Content {
		s.skip()
		e := entry{at: s.pos}
		if p.column < 0 {
			p.column = s.columnOf(s.pos)
		}
		s.take('-')
		e.after = s.pos
		e.value = s.node(n, p, inBlock, p.column)
		p.add(e)
	}
	s.closeBlock(p)
}

// closeBlock records where a block ends: at the end of its last entry.
func (s *scanner) closeBlock(p *position) {
	if len(p.entries) == 0 {
		s.fail("a block has no entries")
	}
	p.end = p.entries[len(p.entries)-1].end()
	p.ended = p.last().ended
}

func (s *scanner) flowMapping(p *position) {
	p.flow = true
	s.take('{')
	for key, value := range yamlnode.Pairs(p.node) {
		s.skip()
		p.add(s.field(p, key, value, inFlow, -1))
		s.comma()
	}
	s.take('}')
}

func (s *scanner) flowSequence(p *position) {
	p.flow = true
	s.take('[')
	for _, n := range p.node.Content {
		s.skip()
		e := entry{at: s.pos, after: s.pos}
		if n.Kind == yaml.MappingNode && !s.sees('{') && !s.sees('&') && !s.sees('!') && len(n.Content) == 2 {
			// A single pair needs no braces: [a: b].
			pair := &position{node: n, parent: p, start: s.pos, content: s.pos, flow: true}
			pair.add(s.field(pair, n.Content[0], n.Content[1], inFlow, -1))
			pair.end = pair.entries[0].end()
			e.value = pair
		} else {
			e.value = s.node(n, p, inFlow, -1)
		}
		p.add(e)
		s.comma()
	}
	s.take(']')
}

// comma skips the comma after an entry. The last entry may have no comma.
func (s *scanner) comma() {
	if s.skip(); s.sees(',') {
		s.pos++
	}
}

// isIndicator reports whether a blank or a line break follows the byte at the scanner.
func (s *scanner) isIndicator() bool {
	next := s.pos + 1
	return next >= len(s.text) || isBlank(s.text[next]) || breakAt(s.text, next) > 0
}

// columnOf returns the column of an offset, counted from 0 in characters.
func (s *scanner) columnOf(at int) int {
	return len([]rune(string(s.text[lineStart(s.text, at):at])))
}
