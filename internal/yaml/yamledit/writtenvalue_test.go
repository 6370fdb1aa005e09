package yamledit_test

import (
	"encoding/json"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// brackets writes a value in its line, or in several inside brackets.
func (s *styled) brackets(n *yaml.Node, column int) {
	each, open, closed := 2, "{", "}"
	switch n.Kind {
	case yaml.SequenceNode:
		each, open, closed = 1, "[", "]"
	case yaml.ScalarNode:
		s.out.WriteString(s.scalar(n))
		return
	}
	separator, end, row := ", ", "", ""
	switch form := s.IntN(4); {
	case len(n.Content) == 0:
	case form == 0:
		row = "\n" + strings.Repeat(" ", column+3)
		open, end = open+s.beside()+row, s.beside()+"\n"+strings.Repeat(" ", column+1)
	case form == 1:
		open, end = open+" ", " "
	}
	if len(n.Content) > 0 && s.IntN(5) == 0 {
		end = "," + end
	}
	s.out.WriteString(open)
	for i := 0; i+each <= len(n.Content); i += each {
		switch {
		case i > 0 && row != "":
			s.out.WriteString("," + s.beside() + row)
		case i > 0:
			s.out.WriteString(separator)
		}
		if each > 1 {
			s.out.WriteString(s.key(n.Content[i]) + ": ")
		}
		s.brackets(n.Content[i+each-1], column+3)
	}
	s.out.WriteString(end + closed)
}

func (s *styled) key(n *yaml.Node) string {
	if s.IntN(100) < s.quotes/2 {
		return s.quoted(n.Value)
	}
	return n.Value
}

func (s *styled) scalar(n *yaml.Node) string {
	switch {
	case n.Tag == yaml.NodeTagNull:
		return []string{"null", "~", "Null"}[s.IntN(3)]
	case n.Tag != yaml.NodeTagString:
		return n.Value
	case s.IntN(100) < s.quotes:
		return s.quoted(n.Value)
	}
	return plain(n.Value)
}

// plain writes a text without quotes, if that is the same text everywhere.
func plain(text string) string {
	var again yaml.Node
	err := yaml.Unmarshal([]byte("a: ["+text+"]"), &again)
	if err == nil && !strings.ContainsAny(text, "\n#:\u0085\u2028") {
		if list := again.Content[0].Content[1]; len(list.Content) == 1 && list.Content[0].Value == text &&
			list.Content[0].Tag == yaml.NodeTagString && list.Content[0].Style == 0 {
			return text
		}
	}
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func (s *styled) quoted(text string) string {
	if s.IntN(2) == 0 && !strings.Contains(text, "\n") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// literal writes a text that ends with a line break.
func (s *styled) literal(n *yaml.Node, column int) {
	inner := column + s.step
	body := strings.TrimRight(n.Value, "\n")
	head := " |"
	switch breaks := len(n.Value) - len(body); {
	case breaks > 1:
		head = " |+"
	case !strings.Contains(body, "\n") && !strings.HasPrefix(body, " ") && s.IntN(2) == 0:
		head = " >"
	}
	if strings.HasPrefix(body, " ") || strings.HasPrefix(body, "\n") || body == "" {
		s.out.WriteString(" " + s.quotedTwice(n.Value))
		s.endLine()
		return
	}
	s.out.WriteString(head)
	if s.IntN(100) < s.comments {
		s.out.WriteString([]string{" # a+b", "\t# -2", " \t # |+"}[s.IntN(3)])
	}
	s.out.WriteString("\n")
	for line := range strings.SplitSeq(strings.TrimSuffix(n.Value, "\n"), "\n") {
		if line != "" {
			line = strings.Repeat(" ", inner) + line
		}
		s.out.WriteString(line + "\n")
	}
}

func (*styled) quotedTwice(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}
