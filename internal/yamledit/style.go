package yamledit

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// style is the style of new text.
type style struct {
	learned
	quoting

	lineBreak string
	json      bool
}

// learned is what the collections of a text show of its indentation; -1 for what they do
// not show.
type learned struct {
	step int // the indentation of a mapping below its key
	dash int // the indentation of a list below its key
	gap  int // the number of blanks after a dash
}

// quoting is how the fields of a mapping are written.
type quoting struct {
	tight  bool       // no blank after a colon: "a":1
	keys   yaml.Style // the quotes of keys
	texts  yaml.Style // the quotes of the strings next to which new text goes
	quotes yaml.Style // the quotes of strings that need some, if others nearby agree
}

// If the text around shows no other style, new text has kyaml's style.
const (
	usualStep = 2
	usualDash = 0
	usualGap  = 1
)

// styleIn returns the style for new entries of a collection: the style of its entries, or
// of the collections around it.
func (e *edit) styleIn(p *place) style {
	s := style{lineBreak: e.breaks.at(e.text, p.end), learned: unknown}
	for around := p; around != nil; around = around.parent {
		s.fill(around.learn(e.text))
	}
	if e.whole == nil {
		e.whole = &learned{-1, -1, -1}
		e.whole.search(e.text, e.top)
	}
	s.fill(*e.whole)
	if s.step < 1 {
		s.step = usualStep
	}
	if s.dash < 0 {
		s.dash = usualDash
	}
	if s.gap < 1 {
		s.gap = usualGap
	}
	s.quoting = *p.quotes()
	s.json = isJSON(p) || isJSON(e.top)
	return s
}

var unknown = learned{-1, -1, -1}

// fill fills in what is not known yet.
func (l *learned) fill(other learned) {
	if l.step < 0 {
		l.step = other.step
	}
	if l.dash < 0 {
		l.dash = other.dash
	}
	if l.gap < 0 {
		l.gap = other.gap
	}
}

// search learns what is missing from all collections of a document.
func (l *learned) search(text []byte, p *place) {
	if l.step >= 0 && l.dash >= 0 && l.gap >= 0 {
		return
	}
	l.fill(p.learn(text))
	for _, entry := range p.entries {
		l.search(text, entry.value)
	}
}

// learn learns the style from a collection and its children, once.
func (p *place) learn(text []byte) learned {
	if p.learned != nil {
		return *p.learned
	}
	s := unknown
	p.learned = &s
	if !p.isBlock() {
		return s
	}
	for _, entry := range p.entries {
		value := entry.value
		switch {
		case p.node.Kind == yaml.SequenceNode && s.gap < 0:
			if gap := bytes.IndexFunc(text[entry.after:], func(r rune) bool { return r != ' ' }); gap > 0 && value.written() && value.start == entry.after+gap {
				s.gap = gap
			}
		case p.node.Kind != yaml.MappingNode || !value.isBlock():
		case value.node.Kind == yaml.MappingNode && s.step < 0 && value.column > p.column:
			s.step = value.column - p.column
		case value.node.Kind == yaml.SequenceNode && s.dash < 0 && value.column >= p.column:
			s.dash = value.column - p.column
		}
	}
	return s
}

// quotes learns the quotes of keys and strings from the fields of a mapping, once.
func (p *place) quotes() *quoting {
	if p.quoted != nil {
		return p.quoted
	}
	s := &quoting{}
	p.quoted = s
	keys, texts := quoteCount{}, quoteCount{}
	for _, entry := range p.entries {
		if entry.key != nil && entry.key.node.Kind == yaml.ScalarNode {
			keys.add(entry.key.node)
		}
		if n := entry.value.node; n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagString && n.Style&blocks == 0 {
			texts.add(n)
		}
	}
	s.keys, s.texts = keys.all(), texts.all()
	switch {
	case texts.single > 0 && texts.double == 0:
		s.quotes = yaml.SingleQuotedStyle
	case texts.double > 0 && texts.single == 0:
		s.quotes = yaml.DoubleQuotedStyle
	}
	s.tight = len(p.entries) > 0 && p.flow
	for _, entry := range p.entries {
		s.tight = s.tight && entry.key != nil && entry.key.node.Style&quotes != 0 && entry.value.written() && entry.value.start == entry.after
	}
	return s
}

// quoteCount counts the strings with each kind of quotes.
type quoteCount struct{ plain, single, double int }

func (c *quoteCount) add(n *yaml.Node) {
	switch {
	case n.Style&yaml.SingleQuotedStyle != 0:
		c.single++
	case n.Style&yaml.DoubleQuotedStyle != 0:
		c.double++
	default:
		c.plain++
	}
}

// all returns the quotes that all strings have.
func (c *quoteCount) all() yaml.Style {
	switch {
	case c.plain > 0 || c.single > 0 && c.double > 0:
		return 0
	case c.single > 0:
		return yaml.SingleQuotedStyle
	case c.double > 0:
		return yaml.DoubleQuotedStyle
	}
	return 0
}

// isJSON reports whether a collection is written in the style of JSON.
func isJSON(p *place) bool {
	if !p.flow || len(p.entries) == 0 {
		return false
	}
	for _, entry := range p.entries {
		if entry.key == nil {
			return isJSON(entry.value)
		}
		if entry.key.node.Style&yaml.DoubleQuotedStyle == 0 {
			return false
		}
	}
	return true
}
