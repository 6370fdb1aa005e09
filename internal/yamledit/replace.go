package yamledit

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// replace replaces the value of a node.
func (e *edit) replace(p *place, want *yaml.Node) error {
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
		e.replaceRoot(p, want, style)
	case p.parent.flow:
		e.replaceText(p, e.valueText(p, want, style))
	case inBrackets(want) || style.json:
		if e.replaceLines(p, want, style) {
			return nil
		}
		e.replaceText(p, e.valueText(p, want, style))
	default:
		e.replaceByBlock(p, want, style)
	}
	return nil
}

// valueText returns the text of a value to write in one line. A string keeps the quotes of
// the old value.
func (e *edit) valueText(p *place, want *yaml.Node, s style) string {
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

// inFlow reports whether a node is inside brackets.
func (p *place) inFlow() bool { return p.parent != nil && p.parent.flow }

// replaceText replaces a node with a text to write in one line.
func (e *edit) replaceText(p *place, text string) {
	in := p.entry()
	switch {
	case p.isBlock():
		e.splice(in.after, p.end, " "+text)
	case p.written():
		e.splice(p.start, p.end, text)
	case in.key != nil && in.after == in.key.end:
		e.splice(in.after, in.after, ": "+text) // a key without a colon
	default:
		e.splice(in.after, in.after, " "+text)
	}
}

// entry returns the entry with a node as its value.
func (p *place) entry() entry { return p.parent.entries[p.index] }

// replaceByBlock replaces a node with lines.
func (e *edit) replaceByBlock(p *place, want *yaml.Node, s style) {
	in, parent := p.entry(), p.parent
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
	gone := &place{node: &yaml.Node{Kind: yaml.ScalarNode}, start: p.start, content: p.content, end: p.end}
	e.putBehind(entry{at: in.at, after: in.after, key: in.key, value: gone}, lines, column, s)
}

func (e *edit) replaceRoot(p *place, want *yaml.Node, s style) {
	text := s.brackets(want)
	if !inBrackets(want) && !s.json {
		text = joined(s.block(want, 0), s)
		if !startsLine(e.text, p.start) {
			text = s.lineBreak + text
		}
	}
	e.splice(p.start, p.end, text)
}
