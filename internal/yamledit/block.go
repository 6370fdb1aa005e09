package yamledit

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// arrangeBlock removes lines from a block and adds new ones.
func (e *edit) arrangeBlock(a arrangement) {
	first := a.first
	inline := !startsLine(e.text, a.entries[0].at)
	for i, gone := range a.gone {
		switch {
		case !gone:
		case !inline || i > first:
			e.removeBehind(a, i)
		case i == 0:
			e.removeInline(a, first)
		}
	}
	style := e.styleIn(a.place)
	for _, f := range a.fresh {
		lines := style.lines(f, a.column)
		if f.after < 0 {
			e.putBefore(a.entries[first].at, lines, a.column, style)
		} else {
			e.putBehind(a.entries[f.after], lines, a.column, style)
		}
	}
}

// lines returns the lines of a new entry of a block. The first line has no indentation.
func (s style) lines(f fresh, column int) []string {
	if f.key != nil {
		return s.field(f.key, f.value, column)
	}
	return s.element(f.value, column)
}

// removeLines removes the lines of an entry that begins its line.
func (e *edit) removeLines(entry entry) {
	e.splice(lineStart(e.text, entry.at), e.behind(entry), "")
}

// removeBehind removes the lines of an entry that is the first, or that follows an entry
// that stays. Comments between its lines stay, unless they would become part of a text
// before them.
func (e *edit) removeBehind(a arrangement, i int) {
	before := a.before[i]
	if before < 0 {
		e.removeEntry(a.entries[i])
		return
	}
	if last := a.entries[before].value.last(); last.node.Kind == yaml.ScalarNode && last.node.Style&blocks != 0 {
		e.removeLines(a.entries[i])
	} else {
		e.removeEntry(a.entries[i])
	}
	e.removeBlanks(a.entries[before], a.entries[i])
}

// removeEntry removes the lines of an entry, except the comments between them.
func (e *edit) removeEntry(entry entry) {
	value := entry.value
	if !value.isBlock() {
		e.removeLines(entry)
		return
	}
	if first := lineStart(e.text, entry.at); first < lineStart(e.text, value.entries[0].at) {
		e.splice(first, nextLine(e.text, entry.after), "")
	}
	for _, child := range value.entries {
		e.removeEntry(child)
	}
}

// removeBlanks removes the empty lines after a removed entry if the text before the entry
// keeps its line breaks. Otherwise the empty lines would become part of that text.
func (e *edit) removeBlanks(before, gone entry) {
	last := before.value.last()
	if from := e.behind(gone); last.ended && last.end <= lineStart(e.text, gone.at) {
		to := from
		for to < len(e.text) && len(bytes.TrimRight(e.text[to:lineEnd(e.text, to)], " \t")) == 0 {
			to = nextLine(e.text, to)
		}
		e.splice(from, to, "")
	}
}

// behind returns where the line after an entry begins.
func (e *edit) behind(entry entry) int {
	if last := entry.value.last(); last.ended && last.end == entry.end() {
		return last.end
	}
	return nextLine(e.text, entry.end())
}

// removeInline removes the entries before one that stays, if the first of them is on the
// line of a dash. The entry that stays moves to that line, unless there are comments
// between.
func (e *edit) removeInline(a arrangement, stays int) {
	from, to := a.entries[0].at, a.entries[stays].at
	commented := false
	for i := range stays {
		between := e.text[min(e.behind(a.entries[i]), a.entries[i+1].at):a.entries[i+1].at]
		commented = commented || bytes.IndexByte(between, '#') >= 0
	}
	if !commented {
		e.splice(from, to, "")
		return
	}
	dash := len(bytes.TrimRight(e.text[:from], " \t"))
	e.splice(dash, lineEnd(e.text, a.entries[0].end()), "")
	for _, gone := range a.entries[1:stays] {
		e.removeLines(gone)
	}
}

// putBefore inserts lines before the entry at an offset.
func (e *edit) putBefore(at int, lines []string, column int, s style) {
	e.splice(at, at, joined(lines, s)+s.lineBreak+spaces(column))
}

// putBehind inserts lines after those of an entry, and after the comments below it with a
// deeper indentation.
func (e *edit) putBehind(entry entry, lines []string, column int, s style) {
	last := entry.value.last()
	at := e.behind(entry)
	if at == lineStart(e.text, at) && (at == 0 || at > entry.end() || last.ended) {
		at = e.behindComments(at, column)
	}
	switch text := spaces(column) + joined(lines, s); {
	case at > 0 && at == lineStart(e.text, at):
		e.splice(at, at, text+s.lineBreak)
	case last.node.Kind == yaml.ScalarNode && last.node.Style&blocks != 0 && entry.key != nil:
		// A line break at the end of the text would become part of the value.
		e.putBefore(entry.at, lines, column, s)
	case last.node.Kind == yaml.ScalarNode && last.node.Style&blocks != 0:
		e.stripBreaks(last)
		e.splices = append(e.splices, splice{from: at, to: at, text: text, begins: s.lineBreak})
	default:
		e.splices = append(e.splices, splice{from: at, to: at, text: text, begins: s.lineBreak})
	}
}

// stripBreaks changes the header of a block scalar so that the line breaks at its end are
// not part of its value.
func (e *edit) stripBreaks(p *place) {
	from, to := p.content+1, p.content+1
	header := e.header(p)
	if plus := strings.IndexByte(header, '+'); plus >= 0 {
		from, to = p.content+plus, p.content+plus+1
	}
	if !strings.Contains(header, "-") {
		e.splice(from, to, "-")
	}
}

// behindComments returns the end of the comments that begin at a line and whose
// indentation is deeper than a column.
func (e *edit) behindComments(at, column int) int {
	for at < len(e.text) {
		line := e.text[at:lineEnd(e.text, at)]
		rest := bytes.TrimLeft(line, " ")
		next := nextLine(e.text, at)
		if len(rest) == 0 || rest[0] != '#' || len(line)-len(rest) <= column || next == at+len(line) {
			break
		}
		at = next
	}
	return at
}

func joined(lines []string, s style) string { return strings.Join(lines, s.lineBreak) }
