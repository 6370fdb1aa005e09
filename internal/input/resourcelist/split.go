package resourcelist

import "bytes"

// pieces is a ResourceList cut by lines.
type pieces struct {
	// rest is the list without its items.
	rest  []byte
	items []item // without nodes and hashes
	// indent is the column of the dashes of the items, counted from 0.
	indent int
	// after has the comments after the last item.
	after []byte
}

// split cuts a ResourceList into its items. It reports false if it cannot find the items
// by lines alone.
//
// A line with a dash at the column of the items begins an item, except inside quotes or
// brackets. In that case, the text before it ends with an open quote or bracket, so it is
// not valid YAML.
func split(text []byte) (pieces, bool) {
	if bytes.ContainsRune(text, '\r') || !bytes.HasSuffix(text, []byte("\n")) {
		return pieces{}, false
	}
	var p pieces
	s := section{text: text}
	at := 0
	for line := range bytes.Lines(text) {
		from := at
		at += len(line)
		switch {
		case s.open && s.addLine(line, from):
		case s.open && len(s.items) == 0, s.begun && isItems(line): // another form, or a duplicate key
			return pieces{}, false
		case isItems(line):
			s.begun, s.open, s.comments = true, true, -1
		case s.open:
			s.close(from)
			fallthrough
		default:
			if !fits(line) {
				return pieces{}, false
			}
			p.rest = append(p.rest, line...)
		}
	}
	if s.open {
		s.close(at)
	}
	p.items, p.indent, p.after = s.texts(), s.indent, text[s.end:s.after]
	return p, len(p.items) > 0
}

// section is the part of the text with the items, while split reads it.
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
func (s *section) texts() []item {
	out := make([]item, len(s.items))
	for i, from := range s.items {
		end := s.end
		if i+1 < len(s.items) {
			end = s.items[i+1].comments
		}
		out[i] = item{before: s.text[from.comments:from.item], text: s.text[from.item:end]}
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
