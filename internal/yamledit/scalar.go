package yamledit

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var (
	blocks = yaml.LiteralStyle | yaml.FoldedStyle
	quotes = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
	quoted = blocks | quotes
)

// scalar scans a scalar. column is the column of the block around it.
func (s *scanner) scalar(p *place, column int) {
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

func (s *scanner) doubleQuoted(p *place) {
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

func (s *scanner) singleQuoted(p *place) {
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
func (s *scanner) verify(p *place) {
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
func (s *scanner) block(p *place, column int) {
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
