package yamledit

import (
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// blockMapping scans "key: value" lines.
func (s *scanner) blockMapping(p *place) {
	p.column = -1
	for key, value := range yamlnode.Pairs(p.node) {
		s.skip()
		e := entry{at: s.pos}
		if p.column < 0 {
			p.column = s.columnOf(s.pos)
		}
		if s.sees('?') && key.Line > 0 && s.isIndicator() {
			s.pos++
		}
		e.key = s.node(key, p, inBlock, p.column)
		s.value(p, &e, value, inBlock, p.column)
		p.add(e)
	}
	s.closeBlock(p)
}

// value scans the colon of a field and the value after it. A key may have neither.
func (s *scanner) value(p *place, e *entry, n *yaml.Node, flow bool, column int) {
	end := s.pos
	if s.skip(); !s.sees(':') {
		s.pos = end
		e.after = end
		e.value = &place{node: n, parent: p, start: end, content: end, end: end, flow: flow}
		if !yamlnode.IsNull(n) {
			s.fail("a key has no colon where the YAML reader has found a value")
		}
		return
	}
	s.pos++
	e.after = s.pos
	s.enter(e.key.node.Value, func() { e.value = s.node(n, p, flow, column) })
}

// blockSequence scans "- element" lines.
func (s *scanner) blockSequence(p *place) {
	p.column = -1
	for i, n := range p.node.Content {
		s.skip()
		e := entry{at: s.pos}
		if p.column < 0 {
			p.column = s.columnOf(s.pos)
		}
		s.take('-')
		e.after = s.pos
		s.enter(strconv.Itoa(i), func() { e.value = s.node(n, p, inBlock, p.column) })
		p.add(e)
	}
	s.closeBlock(p)
}

// closeBlock records where a block ends: at the end of its last entry.
func (s *scanner) closeBlock(p *place) {
	if len(p.entries) == 0 {
		s.fail("a block has no entries")
	}
	p.end = p.entries[len(p.entries)-1].end()
	p.ended = p.last().ended
}

func (s *scanner) flowMapping(p *place) {
	p.flow = true
	s.take('{')
	for key, value := range yamlnode.Pairs(p.node) {
		s.skip()
		p.add(s.pair(p, key, value))
		s.comma()
	}
	s.take('}')
}

// pair scans a field inside brackets.
func (s *scanner) pair(p *place, key, value *yaml.Node) entry {
	e := entry{at: s.pos}
	if s.sees('?') && s.isIndicator() {
		s.pos++
	}
	e.key = s.node(key, p, inFlow, -1)
	s.value(p, &e, value, inFlow, -1)
	return e
}

func (s *scanner) flowSequence(p *place) {
	p.flow = true
	s.take('[')
	for i, n := range p.node.Content {
		s.skip()
		e := entry{at: s.pos, after: s.pos}
		if n.Kind == yaml.MappingNode && !s.sees('{') && !s.sees('&') && !s.sees('!') && len(n.Content) == 2 {
			// A single pair needs no braces: [a: b].
			pair := &place{node: n, parent: p, start: s.pos, content: s.pos, flow: true}
			pair.add(s.pair(pair, n.Content[0], n.Content[1]))
			pair.end = pair.entries[0].end()
			e.value = pair
		} else {
			s.enter(strconv.Itoa(i), func() { e.value = s.node(n, p, inFlow, -1) })
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
