package yamlnode

import (
	"bytes"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Element is the text of an element of a list, with the comments directly above it.
type Element struct{ Before, Text []byte }

// List is the text of a List, cut into the texts of its elements. The text of an element is
// that of a list of one, and in brackets that of the element. It is valid YAML only if it was cut
// in the right places, and if it has no alias of an anchor outside.
type List struct {
	// Rest is the List without its elements. In brackets, it has an empty list of items.
	Rest     []byte
	Elements []Element
	// Flow says that the elements are in brackets, which are in this line of Rest, counted from 1.
	Flow bool
	Line int
	// Indent is the column of the dashes of the elements, counted from 0.
	Indent int
	// After has the comments after the last element.
	After []byte
}

// CutList cuts a List, or a ResourceList, into its elements. It reports false if it cannot
// find them without reading the text, or if there are none.
func CutList(text []byte) (List, bool) {
	if bytes.IndexByte(text, '\r') >= 0 {
		return List{}, false
	}
	if out, ok := cutBlock(text); ok {
		return out, true
	}
	return cutFlow(text)
}

// Fits reports whether Rest, as YAML's reader reads it, has the items where the List was cut. What looks like items may be
// within quotes. items is what it reads there, nil for nothing.
func (l List) Fits(items *yaml.Node) bool {
	if !l.Flow {
		return items == nil
	}
	return items != nil && items.Kind == yaml.SequenceNode && len(items.Content) == 0 && items.Line == l.Line
}

// cutBlock cuts a list in a block.
//
// A line with a dash at the column of the elements begins an element, except inside quotes or
// brackets. In that case, the text before it ends with an open quote or bracket, so it is
// not valid YAML.
func cutBlock(text []byte) (List, bool) {
	if !bytes.HasSuffix(text, []byte("\n")) {
		return List{}, false
	}
	var p List
	s := section{text: text}
	at := 0
	for line := range bytes.Lines(text) {
		from := at
		at += len(line)
		switch {
		case s.open && s.addLine(line, from):
		case s.open && len(s.items) == 0, s.begun && isItems(line): // another form, or a duplicate key
			return List{}, false
		case isItems(line):
			s.begun, s.open, s.comments = true, true, -1
		case s.open:
			s.close(from)
			fallthrough
		default:
			if !fits(line) {
				return List{}, false
			}
			p.Rest = append(p.Rest, line...)
		}
	}
	if s.open {
		s.close(at)
	}
	p.Elements, p.Indent, p.After = s.texts(), s.indent, text[s.end:s.after]
	return p, len(p.Elements) > 0
}

// section is the part of the text with the elements, while cutBlock reads it.
type section struct {
	text        []byte
	begun, open bool
	indent      int
	items       []start
	// comments is where the last comments begin, or -1 if the last line that is not empty
	// is not a comment.
	comments int
	// end is the end of the last item, and after is the end of the comments that follow
	// it.
	end, after int
}

// start is where an item begins, and where the comments above it begin.
type start struct{ comments, item int }

// addLine reads a line of the items, which begins at an offset. It reports false for a
// line that is not part of the items.
func (s *section) addLine(line []byte, at int) bool {
	text := bytes.TrimLeft(line, " ")
	indent := len(line) - len(text)
	comment, blank := text[0] == '#', text[0] == '\n'
	if len(s.items) == 0 && !comment && !blank {
		s.indent = indent
	}
	switch {
	case blank:
	case comment && (indent <= s.indent || len(s.items) == 0):
		if s.comments < 0 {
			s.comments = at
		}
	case indent == s.indent && isElement(text):
		above := at
		if s.comments >= 0 {
			above = s.comments
		}
		s.items, s.comments = append(s.items, start{above, at}), -1
	case indent > s.indent && len(s.items) > 0:
		s.comments = -1
	default:
		return false
	}
	return true
}

// close ends the items. Comments that are not indented belong to the text that follows.
func (s *section) close(at int) {
	s.open, s.end, s.after = false, at, at
	if s.comments >= 0 {
		s.end = s.comments
	}
}

// texts returns the items with their texts.
func (s *section) texts() []Element {
	out := make([]Element, len(s.items))
	for i, from := range s.items {
		end := s.end
		if i+1 < len(s.items) {
			end = s.items[i+1].comments
		}
		out[i] = Element{Before: s.text[from.comments:from.item], Text: s.text[from.item:end]}
	}
	return out
}

func isItems(line []byte) bool { return string(bytes.TrimRight(line, " \n")) == "items:" }

func isElement(line []byte) bool { return line[0] == '-' && (line[1] == ' ' || line[1] == '\n') }

// fits reports whether goldenarch can read a line around the items without the items. The
// line is indented, empty, a comment or an element of another list, or it begins with a
// plain key. Document markers, directives, brackets and quotes do not fit.
func fits(line []byte) bool {
	if line[0] == ' ' || line[0] == '#' || line[0] == '\n' || isElement(line) {
		return true
	}
	key, _, ok := bytes.Cut(line, []byte(":"))
	for _, b := range key {
		ok = ok && (b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z')
	}
	return ok && len(key) > 0
}

// cutFlow cuts a list of mappings in brackets, in a block or in JSON. In brackets a plain text or an
// anchor ends before a bracket, and in a block it does not, so each element has to begin with one.
func cutFlow(text []byte) (List, bool) {
	at := bytes.Index(text, []byte("\nitems: [")) + len("\nitems: ")
	if start := len(text) - len(bytes.TrimLeft(text, " \n")); start < len(text) && text[start] == '{' {
		at = itemsIn(text, start)
	} else if at < len("\nitems: ") {
		return List{}, false
	}
	if at < 0 {
		return List{}, false
	}
	for _, other := range []string{"\n---", "\n...", "\u0085", "\u2028", "\u2029"} { // other documents, and other ends of lines
		if bytes.Contains(text, []byte(other)) {
			return List{}, false
		}
	}
	out := List{Flow: true, Line: 1 + bytes.Count(text[:at], []byte("\n"))}
	end := brackets(text, at, func(from, to int) {
		if element := bytes.TrimSpace(text[from:to]); len(element) > 0 {
			out.Elements = append(out.Elements, Element{Text: element})
		}
	})
	if end < 0 || slices.ContainsFunc(out.Elements, func(e Element) bool { return e.Text[0] != '{' }) {
		return List{}, false
	}
	out.Rest = append(append(bytes.Clone(text[:at]), "[]"...), text[end:]...)
	return out, len(out.Elements) > 0
}

// itemsIn returns where the list of items begins in a mapping in brackets; -1 if there is none.
func itemsIn(text []byte, start int) int {
	at := -1
	brackets(text, start, func(from, to int) {
		key, value, _ := bytes.Cut(text[from:to], []byte(":"))
		if key = bytes.Trim(key, " \n\t\""); string(key) == "items" && bytes.HasPrefix(bytes.TrimSpace(value), []byte("[")) {
			at = to - len(bytes.TrimLeft(value, " \n\t"))
		}
	})
	return at
}

// brackets visits each part of a value in brackets, and returns where the value ends. It returns -1
// for a text in which brackets may be something else: one with comments, with single quotes, or with
// double quotes inside of a word.
func brackets(text []byte, start int, visit func(from, to int)) int {
	depth, from := 0, start+1
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				visit(from, i)
				return i + 1
			}
		case c == ',' && depth == 1:
			visit(from, i)
			from = i + 1
		case c == '"' && beginsValue(text[:i]):
			if i = quoteEnd(text, i); i < 0 {
				return -1
			}
		case c == '"' || c == '\'' || c == '#':
			return -1
		}
	}
	return -1
}

// beginsValue reports whether a value in brackets begins after a text.
func beginsValue(before []byte) bool {
	trimmed := bytes.TrimRight(before, " \n\t")
	rest, colon := bytes.CutSuffix(trimmed, []byte(":"))
	if colon {
		return len(trimmed) < len(before) || bytes.HasSuffix(rest, []byte("\""))
	}
	return bytes.ContainsAny(trimmed[max(0, len(trimmed)-1):], "[{,")
}

// quoteEnd returns where a text in double quotes ends; -1 if it does not.
func quoteEnd(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}
