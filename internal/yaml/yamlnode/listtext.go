package yamlnode

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// listTag is the tag of a list that is kept as text.
const listTag = "!goldenarch.dev/text-of-list"

// ListAsText reads a document, or the text of a list with one item, as YAML's reader does, but keeps
// the list below a key of an object of a kind as text: nodes take fifty times the memory of their
// text, and a run needs few elements of a lock. It decodes no element, so an error in one that
// nobody reads is not found. It does look at the form of each line: unless all are as goldenarch
// writes them, it reports false, and the caller reads the whole. So a list is cut only where YAML's
// reader would begin an element, and what a merge has left in it, or an editor, is an error as ever.
func ListAsText(text, kind, key string) (*yaml.Node, bool) {
	above, below, ok := strings.Cut(text, key+":\n")
	margin := above[strings.LastIndexByte(above, '\n')+1:]
	if !ok || strings.TrimLeft(margin, " ") != "" || !strings.Contains(text, "kind: "+kind+"\n") {
		return nil, false
	}
	size, ok := listSize(below, len(margin))
	var doc yaml.Node
	if !ok || yaml.Unmarshal([]byte(above+key+":\n"+below[size:]), &doc) != nil || len(doc.Content) != 1 {
		return nil, false
	}
	object := doc.Content[0]
	if object.Kind == yaml.SequenceNode && len(object.Content) == 1 {
		object = object.Content[0]
	}
	line, at := 1+strings.Count(above, "\n"), Field(object, key)
	if at < 0 || object.Content[at-1].Line != line || !IsNull(object.Content[at]) || Text(object, "kind") != kind {
		return nil, false
	}
	moveAfter(&doc, line, strings.Count(below[:size], "\n"))
	*object.Content[at] = yaml.Node{Kind: yaml.ScalarNode, Tag: listTag, Value: below[:size], Line: line + 1}
	return &doc, true
}

// listSize returns the length of the lines of a list below a key with a margin. It reports false if
// they are not in the form of [isWholeLine].
func listSize(text string, margin int) (int, bool) {
	size, dashes := 0, -1
	for line := range strings.Lines(text) {
		indent := indentOf(line)
		isElement := strings.HasPrefix(line[indent:], "- ")
		switch {
		case isBlank(line[indent:]):
		case indent < margin || indent == margin && !isElement:
			return size, dashes >= 0
		case dashes < 0 && isElement:
			dashes = indent
		case dashes < 0 || indent < dashes || indent == dashes && !isElement:
			return 0, false
		}
		if !isWholeLine(line[indent:]) {
			return 0, false
		}
		size += len(line)
	}
	return size, dashes >= 0
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// isBlank reports whether a line is empty or a comment.
func isBlank(line string) bool { return line == "" || line[0] == '\n' || line[0] == '#' }

// isWholeLine reports whether a line is a comment, or a field or an element in one line: it has no
// sign that begins another form of YAML, and its quotes and brackets are closed.
func isWholeLine(line string) bool {
	if isBlank(line) {
		return true
	}
	line, ended := strings.CutSuffix(line, "\n")
	quotes, brackets, colons := 0, 0, 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == '"':
			quotes++
		case c == '{':
			brackets++
		case c == '}':
			brackets--
		case c == ':':
			colons++
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '.' && c <= '9' || c == '-' || c == '_' || c == '@' || c == '+' || c == ',' || c == ' ':
		default:
			return false
		}
	}
	return ended && quotes%2 == 0 && brackets == 0 && colons > 0
}

// IsListAsText reports whether a node is a list that is kept as text.
func IsListAsText(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.Tag == listTag
}

// ParseListAsText reads the lists of an object that are kept as text, for what needs all of their nodes.
func ParseListAsText(object *yaml.Node) error {
	for _, value := range Pairs(object) {
		if !IsListAsText(value) {
			continue
		}
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(value.Value), &doc); err != nil {
			return ReadError(err, value.Line-1)
		}
		moveAfter(&doc, 0, value.Line-1)
		*value = *doc.Content[0]
	}
	return nil
}

// TextElement is an element of a list that is kept as text.
type TextElement struct {
	text string
	line int // before the element
}

// TextElements returns the elements of a list that is kept as text.
func TextElements(list *yaml.Node) []TextElement {
	var out []TextElement
	dash, start, at, line := "", 0, 0, list.Line-1
	for row := range strings.Lines(list.Value) {
		if dash == "" && strings.HasPrefix(row[indentOf(row):], "- ") {
			dash = row[:indentOf(row)] + "- "
		}
		if dash != "" && strings.HasPrefix(row, dash) {
			if len(out) > 0 {
				out[len(out)-1].text = list.Value[start:at]
			}
			out, start = append(out, TextElement{line: line}), at
		}
		at += len(row)
		line++
	}
	if len(out) > 0 {
		out[len(out)-1].text = list.Value[start:]
	}
	return out
}

// Text returns the value of the first field of the element, if that has the name.
func (h TextElement) Text(field string) (string, bool) {
	row, _, _ := strings.Cut(h.text, "\n")
	value, ok := strings.CutPrefix(strings.TrimLeft(row, " -"), field+": ")
	return strings.Trim(value, "\" "), ok
}

// Node reads the element, with the lines of the document.
func (h TextElement) Node() (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(h.text), &doc); err != nil {
		return nil, ReadError(err, h.line)
	}
	if len(doc.Content) != 1 || len(doc.Content[0].Content) != 1 {
		return nil, fmt.Errorf("line %d: not one element of a list", h.line+1)
	}
	moveAfter(&doc, 0, h.line)
	return doc.Content[0].Content[0], nil
}

// moveAfter adds to the lines of the nodes after a line.
func moveAfter(n *yaml.Node, line, by int) {
	Walk(n, func(n *yaml.Node) {
		if n.Line > line {
			n.Line += by
		}
	})
}
