package yamledit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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

// If the text around shows no other style, new text has kyaml's: usual.
var (
	unknown = learned{step: -1, dash: -1, gap: -1}
	usual   = learned{step: 2, dash: 0, gap: 1}
)

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
func (l *learned) search(text []byte, p *position) {
	if l.step >= 0 && l.dash >= 0 && l.gap >= 0 {
		return
	}
	l.fill(p.observe(text))
	for _, entry := range p.entries {
		l.search(text, entry.value)
	}
}

// learn learns the style from a collection and its children, once.
func (p *position) observe(text []byte) learned {
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
func (p *position) quotes() *quoting {
	if p.quoted != nil {
		return p.quoted
	}
	s := &quoting{}
	p.quoted = s
	keys, texts := quotesSeen{}, quotesSeen{}
	for _, entry := range p.entries {
		if entry.key != nil && entry.key.node.Kind == yaml.ScalarNode {
			keys.add(entry.key.node)
		}
		if !p.flow && entry.key != nil && yamlnode.IsHostAnnotation(entry.key.node.Value) {
			continue // the host quotes them, whatever the person's file has beside them
		}
		if n := entry.value.node; n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagString && n.Style&blocks == 0 {
			texts.add(n)
		}
	}
	s.keys, s.texts, s.quotes = keys.all(), texts.all(), texts.used()
	s.tight = len(p.entries) > 0 && p.flow
	for _, entry := range p.entries {
		s.tight = s.tight && entry.key != nil && entry.key.node.Style&quotes != 0 && entry.value.written() && entry.value.start == entry.after
	}
	return s
}

// quotesSeen are the quotes that some strings have, and whether one has none.
type quotesSeen struct {
	quotes yaml.Style
	plain  bool
}

func (q *quotesSeen) add(n *yaml.Node) {
	q.quotes |= n.Style & quotes
	q.plain = q.plain || n.Style&quotes == 0
}

// all returns the quotes that all strings have.
func (q *quotesSeen) all() yaml.Style {
	if q.plain {
		return 0
	}
	return q.used()
}

// used returns the quotes that all strings with quotes have.
func (q *quotesSeen) used() yaml.Style {
	if q.quotes == quotes {
		return 0
	}
	return q.quotes
}

// isJSON reports whether a collection is written in the style of JSON.
func isJSON(p *position) bool {
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

// inBrackets reports whether a value is written in one line. Only a block collection with
// entries is not.
func inBrackets(n *yaml.Node) bool {
	return n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode || len(n.Content) == 0 || n.Style&yaml.FlowStyle != 0
}

// field returns the lines of "key: value" at a column. The first line has no indentation.
func (s style) field(key, value *yaml.Node, column int) []string {
	value = yamlnode.Dealias(value)
	first := s.key(key, inBlock) + ":"
	if inBrackets(value) || s.json {
		return []string{first + " " + s.inLine(value)}
	}
	below := column + s.step
	if value.Kind == yaml.SequenceNode {
		below = column + s.dash
	}
	lines := s.block(value, below)
	return append([]string{first, spaces(below) + lines[0]}, lines[1:]...)
}

// element returns the lines of "- value" at a column. The first line has no indentation.
func (s style) element(value *yaml.Node, column int) []string {
	value = yamlnode.Dealias(value)
	first := "-" + spaces(s.gap)
	if inBrackets(value) || s.json {
		return []string{first + s.inLine(value)}
	}
	lines := s.block(value, column+len(first))
	lines[0] = first + lines[0]
	return lines
}

// block returns the lines of a collection at a column. The first line has no indentation.
func (s style) block(n *yaml.Node, column int) []string {
	var out []string
	s.texts = 0 // the entries have other strings around them
	for _, f := range entriesOf(n) {
		lines := s.lines(f, column)
		if len(out) > 0 {
			lines[0] = spaces(column) + lines[0]
		}
		out = append(out, lines...)
	}
	return out
}

// inLine returns the text of a value in one line, outside brackets.
func (s style) inLine(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return s.scalar(n, inBlock)
	}
	return s.brackets(n)
}

// brackets returns the text of a value in one line, valid also inside brackets.
func (s style) brackets(n *yaml.Node) string { return s.rows(n, "", oneLine) }

// oneLine is the step of rows that there are none of.
const oneLine = 0

func (s style) comma() string { return s.behind(",") }

// behind returns an indicator inside brackets with the blank behind it.
func (s style) behind(indicator string) string {
	if s.tight {
		return indicator
	}
	return indicator + " "
}

func (s style) key(n *yaml.Node, flow bool) string {
	n = yamlnode.Dealias(n)
	if s.json {
		return quote(n.Value)
	}
	return encode(n, s.keys|n.Style&quotes, flow)
}

// scalar returns the text of a scalar. If it needs quotes, they are those of the strings
// around it, or those of the node.
func (s style) scalar(n *yaml.Node, flow bool) string {
	if n.ShortTag() != yaml.NodeTagString {
		return encode(n, 0, flow)
	}
	form := n.Style & quotes
	switch {
	case s.json || strings.ContainsAny(n.Value, "\r\n\u0085\u2028\u2029"):
		return quote(n.Value)
	case s.texts != 0:
		form = s.texts
	case s.quotes != 0 && (form != 0 || strings.HasPrefix(encode(n, 0, flow), `"`)):
		form = s.quotes
	}
	return encode(n, form, flow)
}

// quote returns a text in double quotes, as in JSON.
func quote(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(fmt.Sprintf("encode a text: %v", err)) // every text can be encoded
	}
	// The reader takes U+0085 for a line break, but JSON does not escape it.
	return strings.ReplaceAll(strings.TrimSpace(out.String()), "\u0085", `\u0085`)
}

// oldWord has the words that are booleans in YAML 1.1, as the API server reads it
// (sigs.k8s.io/yaml goyaml.v2 resolve.go: resolveTable).
var oldWord = map[string]bool{"y": true, "yes": true, "n": true, "no": true, "on": true, "off": true}

// encode returns the text of a scalar as kyaml's encoder writes it.
func encode(n *yaml.Node, form yaml.Style, flow bool) string {
	if form == 0 && oldWord[strings.ToLower(n.Value)] && n.ShortTag() == yaml.NodeTagString {
		form = yaml.DoubleQuotedStyle
	}
	if form == 0 && isPlainWord(n) {
		return n.Value // an encoder for each word takes most of the time of an edit
	}
	return encoded(n, form, flow)
}

// isPlainWord reports whether the encoder writes a text without quotes: it is a word, and no
// reader takes it for a value of another type.
func isPlainWord(n *yaml.Node) bool {
	if n.Value == "" || n.Style&yaml.TaggedStyle != 0 || n.ShortTag() != yaml.NodeTagString {
		return false
	}
	for i, c := range []byte(n.Value) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-' && c != '.' && c != '/' && c != '_') {
			return false
		}
	}
	alone := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	return alone.ShortTag() == yaml.NodeTagString
}

// encoded returns the text of a scalar from kyaml's encoder.
func encoded(n *yaml.Node, form yaml.Style, flow bool) string {
	alone := &yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value, Style: form | n.Style&yaml.TaggedStyle}
	if yamlnode.IsNull(alone) && alone.Value == "" {
		alone.Value = "null"
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{alone}}
	if flow {
		list.Style = yaml.FlowStyle
	}
	var out bytes.Buffer
	if err := yaml.NewEncoder(&out).Encode(list); err != nil {
		return quote(n.Value)
	}
	text := strings.TrimSpace(out.String())
	if flow {
		return strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	}
	return strings.TrimPrefix(text, "- ")
}
