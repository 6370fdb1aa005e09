package yamledit

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// isBracketed reports whether a collection inside brackets has brackets of its own.
func (e *edit) isBracketed(p *place) bool {
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
	style := e.styleIn(a.place)
	rows := startsLine(e.text, a.entries[len(a.entries)-1].at)
	for i, f := range a.fresh {
		text := style.flow(f)
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

// flow returns the text of a new entry inside brackets.
func (s style) flow(f fresh) string {
	if f.key != nil {
		return s.pair(f.key, f.value)
	}
	return s.brackets(f.value)
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

// row returns the text of a new entry in which each entry of a collection has its own
// line.
func (s style) row(f fresh, indent string, step int) string {
	text := s.rows(f.value, indent, step)
	if f.key == nil {
		return text
	}
	colon := ": "
	if s.tight {
		colon = ":"
	}
	return s.key(f.key, inFlow) + colon + text
}

func (s style) rows(n *yaml.Node, indent string, step int) string {
	n = yamlnode.Dealias(n)
	if n.Kind == yaml.ScalarNode || len(n.Content) == 0 || step == 0 {
		return s.brackets(n)
	}
	below := indent + spaces(step)
	open, closed, out := "{", "}", ""
	each := 2
	if n.Kind == yaml.SequenceNode {
		open, closed, each = "[", "]", 1
	}
	for i := 0; i+each <= len(n.Content); i += each {
		if i > 0 {
			out += ","
		}
		f := fresh{value: n.Content[i+each-1]}
		if each > 1 {
			f.key = n.Content[i]
		}
		out += s.lineBreak + below + s.row(f, below, step)
	}
	return open + out + s.lineBreak + indent + closed
}
