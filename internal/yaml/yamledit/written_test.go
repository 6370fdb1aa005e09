package yamledit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// styled writes trees as people do: each in a style of its own.
type styled struct {
	*rand.Rand

	step, dash, gap int
	flow            int // of a hundred collections, how many are written in brackets
	comments        int // of a hundred lines, how many have a comment
	quotes          int
	anchors         bool
	out             strings.Builder
	anchored        []*yaml.Node // texts that have an anchor, for aliases
	number          int          // of comments
}

func newStyled(r *rand.Rand) *styled {
	step := []int{2, 2, 2, 4, 3, 1, 8}[r.IntN(7)]
	return &styled{
		Rand: r, step: step, dash: []int{0, step, 2}[r.IntN(3)], gap: []int{1, 1, 1, 3}[r.IntN(4)],
		flow: []int{0, 0, 10, 40}[r.IntN(4)], comments: []int{0, 10, 40}[r.IntN(3)], quotes: []int{0, 20, 100}[r.IntN(3)], anchors: r.IntN(3) == 0,
	}
}

// document writes a document with all that may be around one.
func (s *styled) document(n *yaml.Node) string {
	if s.IntN(4) == 0 {
		s.out.WriteString("# Ü head\n\n")
	}
	switch s.IntN(6) {
	case 0:
		s.out.WriteString("---\n")
	case 1:
		s.out.WriteString("--- # begins\n")
	case 2:
		s.out.WriteString("%YAML 1.2\n---\n")
	}
	s.block(n, 0, "")
	switch s.IntN(6) {
	case 0:
		s.out.WriteString("# behind it\n# more: of it\n")
	case 1:
		s.out.WriteString("...\n")
	case 2:
		s.out.WriteString("\n\n")
	}
	text := s.out.String()
	if s.IntN(4) == 0 {
		text = strings.TrimRight(text, "\n")
	}
	switch s.IntN(12) {
	case 0, 1, 2:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 3:
		text = strings.ReplaceAll(text, "\n", "\r") // the oldest form of YAML's three line breaks
	}
	if s.IntN(6) == 0 {
		text = "\ufeff" + text
	}
	return text
}

// block writes the entries of a collection at a column. first is what the line
// already has in the place of the column.
func (s *styled) block(n *yaml.Node, column int, first string) {
	each := 2
	if n.Kind == yaml.SequenceNode {
		each = 1
	}
	for i := 0; i+each <= len(n.Content); i += each {
		if first == "" {
			s.comment(column)
			first = strings.Repeat(" ", column)
		}
		if n.Kind == yaml.SequenceNode {
			s.element(n.Content[i], column, first+"-")
		} else {
			s.field(n.Content[i], n.Content[i+1], column, first)
		}
		first = ""
	}
}

// comment writes lines between the entries, sometimes.
func (s *styled) comment(column int) {
	for s.IntN(100) < s.comments {
		s.number++
		switch s.IntN(4) {
		case 0:
			s.out.WriteString("\n")
		case 1:
			fmt.Fprintf(&s.out, "%s# note %d: é\n", strings.Repeat(" ", s.IntN(column+4)), s.number)
		default:
			fmt.Fprintf(&s.out, "%s# note: %d\n", strings.Repeat(" ", column), s.number)
		}
	}
}

// beside returns a comment beside something, sometimes.
func (s *styled) beside() string {
	if s.IntN(100) >= s.comments {
		return ""
	}
	s.number++
	return fmt.Sprintf("%s# beside %d, [not: {a} 'row\"", []string{" ", "  ", "\t"}[s.IntN(3)], s.number)
}

// properties returns an anchor, a tag, or both, sometimes.
func (s *styled) properties(n *yaml.Node) string {
	out := ""
	if s.anchors && s.IntN(6) == 0 {
		s.number++
		out = fmt.Sprintf(" &a%d", s.number)
	}
	if s.anchors && s.IntN(12) == 0 {
		out += map[yaml.Kind]string{yaml.MappingNode: " !!map", yaml.SequenceNode: " !!seq"}[n.Kind]
	}
	return out
}

// endLine ends a line, with a comment sometimes.
func (s *styled) endLine() {
	if comment := s.beside(); comment != "" {
		if last := s.out.String()[s.out.Len()-1]; last == '-' || last == ':' {
			comment = " " + strings.TrimSpace(comment) // the reader accepts no tab there
		}
		s.out.WriteString(comment)
	} else if s.IntN(100) < s.comments/4 {
		s.out.WriteString("  ")
	}
	s.out.WriteString("\n")
}

func (s *styled) element(n *yaml.Node, column int, first string) {
	switch {
	case n.Kind == yaml.ScalarNode || len(n.Content) == 0 || s.inBrackets():
		s.out.WriteString(first)
		s.value(n, column)
	case s.IntN(8) == 0:
		s.out.WriteString(first + s.properties(n))
		s.endLine()
		s.block(n, column+1+s.gap, "")
	default:
		s.block(n, column+1+s.gap, first+strings.Repeat(" ", s.gap))
	}
}

func (s *styled) field(key, n *yaml.Node, column int, first string) {
	s.out.WriteString(first + s.key(key) + ":")
	if n.Kind == yaml.ScalarNode || len(n.Content) == 0 || s.inBrackets() {
		s.value(n, column)
		return
	}
	s.out.WriteString(s.properties(n))
	s.endLine()
	below := column + s.step
	if n.Kind == yaml.SequenceNode {
		below = column + s.dash
	}
	s.block(n, below, "")
}

func (s *styled) inBrackets() bool { return s.IntN(100) < s.flow }

// value writes what stands in the line of its key or dash.
func (s *styled) value(n *yaml.Node, column int) {
	if n.Kind == yaml.ScalarNode && n.Tag == yaml.NodeTagNull && s.IntN(2) == 0 {
		s.endLine()
		return
	}
	if n.Kind == yaml.ScalarNode && strings.HasSuffix(n.Value, "\n") && s.IntN(3) > 0 {
		s.literal(n, column)
		return
	}
	s.out.WriteString(" ")
	if n.Kind == yaml.ScalarNode && n.Tag == yaml.NodeTagString && s.anchors && s.IntN(3) == 0 {
		for _, other := range s.anchored {
			if other.Value == n.Value {
				s.out.WriteString("*" + other.Anchor + " ")
				s.endLine()
				return
			}
		}
		s.number++
		s.anchored = append(s.anchored, &yaml.Node{Value: n.Value, Anchor: fmt.Sprintf("a%d", s.number)})
		fmt.Fprintf(&s.out, "&a%d ", s.number)
	}
	s.brackets(n, column)
	s.endLine()
}
