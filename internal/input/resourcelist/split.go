package resourcelist

import "bytes"

// pieces is a ResourceList cut by lines.
type pieces struct {
	// rest is the list without its items.
	rest  []byte
	items []piece
	// indent is how far the dashes of the items are from the left.
	indent int
	// after are comments behind the last item.
	after []byte
}

// piece is the text of an item: "- apiVersion: …" and all of its lines.
type piece struct {
	// before are the comments that stand right above it.
	before []byte
	text   []byte
}

// split cuts a ResourceList into its items. It reports false where the lines
// alone do not tell.
//
// A line that begins with a dash at the column of the items begins an item, but
// for one inside quotes or brackets. There the piece before it ends with the
// quote open, and is no YAML.
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
		case s.open && len(s.items) == 0, s.begun && isItems(line): // another form of list; a key that is there twice
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
	p.items, p.indent, p.after = s.pieces(), s.indent, text[s.end:s.after]
	return p, len(p.items) > 0
}

// section is the items in the text, while it is read.
type section struct {
	text        []byte
	begun, open bool
	indent      int
	items       []start
	// comments is where the comments begin that were read last, -1 if what was
	// read last is no comment.
	comments int
	// end is behind the last item, and after behind the comments that follow.
	end, after int
}

// start is where an item and the comments above it begin.
type start struct{ comments, item int }

// addLine reads a line of the items, which begins at an offset. It reports false for
// one that is none.
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

// close ends the items. Comments that are not indented are about what follows.
func (s *section) close(at int) {
	s.open, s.end, s.after = false, at, at
	if s.comments >= 0 {
		s.end = s.comments
	}
}

func (s *section) pieces() []piece {
	out := make([]piece, len(s.items))
	for i, from := range s.items {
		end := s.end
		if i+1 < len(s.items) {
			end = s.items[i+1].comments
		}
		out[i] = piece{before: s.text[from.comments:from.item], text: s.text[from.item:end]}
	}
	return out
}

func isItems(line []byte) bool { return string(bytes.TrimRight(line, " \n")) == "items:" }

func isElement(line []byte) bool { return line[0] == '-' && (line[1] == ' ' || line[1] == '\n') }

// fits reports whether a line around the items can be read without them: it is
// indented, empty, a comment, an element of another list, or begins with a plain
// key. Markers of documents, directives, brackets and quotes are not.
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
