package yamledit

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// arrangement has the entries to remove from a collection and to add to it.
type arrangement struct {
	*position

	gone  []bool // by entry
	fresh []fresh

	first  int   // the index of the first entry that stays, -1 if none does
	before []int // by entry, the index of the last one up to it that stays, or -1
}

// fresh is a new entry. It comes after the entry at an index, or first for -1.
type fresh struct {
	after      int
	key, value *yaml.Node
}

// entriesOf returns the entries of a collection as new ones.
func entriesOf(n *yaml.Node) []fresh {
	var out []fresh
	for key, value := range yamlnode.Pairs(n) {
		out = append(out, fresh{key: key, value: value})
	}
	if n.Kind == yaml.SequenceNode {
		for _, value := range n.Content {
			out = append(out, fresh{value: value})
		}
	}
	return out
}

// index finds the entries that stay, once for all that ask.
func (a *arrangement) index() {
	a.first = -1
	a.before = make([]int, len(a.gone))
	last := -1
	for i, gone := range a.gone {
		if !gone {
			last = i
			if a.first < 0 {
				a.first = i
			}
		}
		a.before[i] = last
	}
}

// arrange removes entries from a collection and adds new ones.
func (e *edit) arrange(a arrangement) error {
	for i, entry := range a.entries {
		if a.gone[i] {
			if err := e.mayGo(entry.value); err != nil {
				return err
			}
		}
	}
	a.index()
	switch {
	case a.first < 0 && e.rearrange(a):
	case a.first < 0:
		want := &yaml.Node{Kind: a.node.Kind, Tag: a.node.Tag, Style: a.node.Style &^ yaml.TaggedStyle}
		for _, f := range a.fresh {
			if f.key != nil {
				want.Content = append(want.Content, f.key)
			}
			want.Content = append(want.Content, f.value)
		}
		e.replace(a.position, want)
	case a.flow && !e.isBracketed(a.position):
		return e.refuse(a.start, "a pair without braces is where an edit must go", "write braces around it")
	case a.flow:
		e.arrangeFlow(a)
	default:
		e.arrangeBlock(a)
	}
	return nil
}

// rearrange replaces all entries of a block with new ones, and keeps the comments between
// the old entries. It reports false if that is not possible.
func (e *edit) rearrange(a arrangement) bool {
	if a.flow || len(a.fresh) == 0 || !startsLine(e.text, a.entries[0].at) || a.node.Style&yaml.TaggedStyle != 0 ||
		!startsLine(e.text, e.behind(a.entries[len(a.entries)-1])) {
		return false
	}
	style := e.styleIn(a.position)
	at := lineStart(e.text, a.entries[0].at)
	for _, f := range a.fresh {
		e.splice(at, at, spaces(a.column)+joined(style.lines(f, a.column), style)+style.lineBreak)
	}
	for _, entry := range a.entries {
		e.removeEntry(entry)
	}
	return true
}

// clear removes all entries of a block, and keeps the comments between them. The text of what is
// then empty goes to its place. It reports false if that is not possible.
func (e *edit) clear(p *position, empty string) bool {
	if p.parent == nil || p.start != p.content && e.properties(p) < 0 ||
		!startsLine(e.text, p.entries[0].at) || !startsLine(e.text, e.behind(p.entries[len(p.entries)-1])) {
		return false
	}
	at := p.entry().after
	if p.start != p.content {
		at = e.properties(p)
	}
	e.splice(at, at, empty)
	for _, entry := range p.entries {
		e.removeEntry(entry)
	}
	return true
}

// emptyText returns the text, behind its key, of a null or of an empty collection of a kind.
func emptyText(want *yaml.Node, kind yaml.Kind) (text string, ok bool) {
	switch {
	case want.Kind == yaml.ScalarNode && yamlnode.IsNull(want) && want.Value == "":
		return "", true
	case want.Kind == yaml.ScalarNode && yamlnode.IsNull(want):
		return " " + want.Value, true
	case want.Kind != kind || len(want.Content) > 0:
		return "", false
	case kind == yaml.SequenceNode:
		return " []", true
	}
	return " {}", true
}

// properties returns where the anchor of a value ends, if it is in the line of its key or its
// dash and all that is before the value; otherwise -1.
func (e *edit) properties(p *position) int {
	end := p.start + len("&") + len(p.node.Anchor)
	if p.node.Anchor == "" || p.node.Style&yaml.TaggedStyle != 0 || lineStart(e.text, p.start) != lineStart(e.text, p.entry().at) ||
		!bytes.HasPrefix(e.text[p.start:], []byte("&"+p.node.Anchor)) {
		return -1
	}
	return end
}

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
	style := e.styleIn(a.position)
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
	text := spaces(column) + joined(lines, s)
	if at > 0 && at == lineStart(e.text, at) {
		e.splice(at, at, text+s.lineBreak)
		return
	}
	if last.node.Kind == yaml.ScalarNode && last.node.Style&blocks != 0 {
		if entry.key != nil { // a line break at the end of the text would become part of the value
			e.putBefore(entry.at, lines, column, s)
			return
		}
		e.stripBreaks(last)
	}
	e.splices = append(e.splices, Splice{From: at, To: at, Text: text, begins: s.lineBreak})
}

// stripBreaks changes the header of a block scalar so that the line breaks at its end are
// not part of its value.
func (e *edit) stripBreaks(p *position) {
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

// isBracketed reports whether a collection inside brackets has brackets of its own.
func (e *edit) isBracketed(p *position) bool {
	return e.text[p.content] == '{' && p.node.Kind == yaml.MappingNode || e.text[p.content] == '[' && p.node.Kind == yaml.SequenceNode
}

// arrangeFlow removes entries from brackets and adds new ones.
func (e *edit) arrangeFlow(a arrangement) {
	byRows := e.canRemoveRows(a)
	if byRows {
		e.removeRows(a)
	}
	for i, gone := range a.gone {
		if !gone || byRows {
			continue
		}
		if before := a.before[i]; before >= 0 {
			// Also remove the comma that separates the entry from the one before.
			e.splice(a.entries[i-1].end(), a.entries[i].end(), "")
		} else {
			e.splice(a.entries[i].at, a.entries[i+1].at, "")
		}
	}
	style := e.styleIn(a.position)
	rows := startsLine(e.text, a.entries[len(a.entries)-1].at)
	for i, f := range a.fresh {
		text := style.row(f, "", oneLine)
		if rows {
			e.putRow(a, f, row{again: i > 0 && a.fresh[i-1].after == f.after, alone: byRows}, style)
			continue
		}
		if f.after < 0 {
			e.splice(a.entries[a.first].at, a.entries[a.first].at, text+style.comma())
		} else {
			at := a.entries[f.after].end()
			e.splice(at, at, style.comma()+text)
		}
	}
}

// behindKey returns the text of a value behind the key that it has, if any.
func (s style) behindKey(f fresh, text string) string {
	if f.key == nil {
		return text
	}
	return s.key(f.key, inFlow) + s.behind(":") + text
}

// canRemoveRows reports whether each entry that goes has lines of its own, which can go
// without a change of any other line but for a comma. What stays keeps its comments then.
func (e *edit) canRemoveRows(a arrangement) bool {
	removes := false
	for i, gone := range a.gone {
		if gone && (!startsLine(e.text, a.entries[i].at) || e.rowEnd(a, i) < 0) {
			return false
		}
		removes = removes || gone
	}
	last := len(a.gone) - 1
	if !removes || !a.gone[last] || e.commaBehind(a, last) >= 0 {
		return removes
	}
	return len(a.fresh) == 0 // the comma of the last entry that stays goes
}

// rowEnd returns where the line after an entry begins, or -1 if more than a comma and a
// comment follow the entry in its line.
func (e *edit) rowEnd(a arrangement, i int) int {
	end := a.entries[i].end()
	if comma := e.commaBehind(a, i); comma >= 0 {
		end = comma
	}
	for end < len(e.text) && isBlank(e.text[end]) {
		end++
	}
	if end == len(e.text) || e.text[end] != '#' && breakAt(e.text, end) == 0 {
		return -1
	}
	return nextLine(e.text, end)
}

func (e *edit) removeRows(a arrangement) {
	for i, gone := range a.gone {
		if gone {
			e.splice(lineStart(e.text, a.entries[i].at), e.rowEnd(a, i), "")
		}
	}
	last := len(a.gone) - 1
	if a.gone[last] && e.commaBehind(a, last) < 0 {
		comma := e.commaBehind(a, a.before[last])
		e.splice(comma-1, comma, "")
	}
}

// row says how a new entry gets a line of its own.
type row struct {
	again bool // the new entry before it goes behind the same entry
	alone bool // entries that go take only their own commas with them
}

// putRow inserts a new entry in a line of its own, like the other entries.
func (e *edit) putRow(a arrangement, f fresh, as row, s style) {
	after := max(f.after, a.first)
	start := lineStart(e.text, a.entries[after].at)
	indent := string(e.text[start:a.entries[after].at])
	if !startsLine(e.text, a.entries[after].at) {
		last := a.entries[len(a.entries)-1].at
		indent = string(e.text[lineStart(e.text, last):last])
	}
	outer := lineStart(e.text, a.start)
	margin := 0
	for isBlank(e.text[outer+margin]) {
		margin++
	}
	text := s.row(f, indent, max(len(indent)-margin, 0))
	if f.after < 0 {
		at := a.entries[a.first].at
		e.splice(at, at, text+","+s.lineBreak+indent)
		return
	}
	end := a.entries[after].end()
	if next := after + 1; next < len(a.gone) && a.gone[next] && !as.alone {
		e.splice(end, end, ","+s.lineBreak+indent+text) // the next entry's removal takes its comma
		return
	}
	comma := e.commaBehind(a, after)
	separator := ""
	switch {
	case comma >= 0:
		text += ","
	case as.again:
		separator, comma = ",", end // behind the new entry, not behind the comment of the old one
	default:
		e.splice(end, end, ",")
		comma = end
	}
	at := lineEnd(e.text, comma)
	if next := after + 1; next < len(a.entries) && a.entries[next].at < at || at > a.end-1 {
		at = comma // the next entry or the closing bracket is in the same line
	}
	e.splice(at, at, separator+s.lineBreak+indent+text)
}

// commaBehind returns where the comma after an entry ends, or -1 if there is no comma.
func (e *edit) commaBehind(a arrangement, i int) int {
	s := &scanner{text: e.text, pos: a.entries[i].end()}
	if s.skip(); s.sees(',') {
		return s.pos + 1
	}
	return -1
}

// row returns the text of a new entry, with a line of its own for each entry in it, which is so much
// deeper than the indentation.
func (s style) row(f fresh, indent string, step int) string {
	return s.behindKey(f, s.rows(f.value, indent, step))
}

// rows returns the text of a value in brackets. Without a step it is one line.
func (s style) rows(n *yaml.Node, indent string, step int) string {
	n = yamlnode.Dealias(n)
	if n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
		return s.scalar(n, inFlow)
	}
	below, begin, separator, end := indent+spaces(step), "", s.comma(), ""
	if step > 0 && len(n.Content) > 0 {
		begin, separator, end = s.lineBreak+below, ","+s.lineBreak+below, s.lineBreak+indent
	}
	var parts []string
	for _, f := range entriesOf(n) {
		parts = append(parts, s.row(f, below, step))
	}
	text := begin + strings.Join(parts, separator) + end
	if n.Kind == yaml.SequenceNode {
		return "[" + text + "]"
	}
	return "{" + text + "}"
}
