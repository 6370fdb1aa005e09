package yamledit

import "sigs.k8s.io/kustomize/kyaml/yaml"

// arrangement has the entries to remove from a collection and to add to it.
type arrangement struct {
	*place

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
		if !a.gone[i] {
			continue
		}
		if entry.key != nil {
			if err := e.mayGo(entry.key); err != nil {
				return err
			}
		}
		if err := e.mayGo(entry.value); err != nil {
			return err
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
		return e.replace(a.place, want)
	case a.flow && !e.isBracketed(a.place):
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
	style := e.styleIn(a.place)
	at := lineStart(e.text, a.entries[0].at)
	for _, f := range a.fresh {
		e.splice(at, at, spaces(a.column)+joined(style.lines(f, a.column), style)+style.lineBreak)
	}
	for _, entry := range a.entries {
		e.removeEntry(entry)
	}
	return true
}

// clear removes all entries of a block, and keeps the comments between them. It reports false
// if that is not possible.
func (e *edit) clear(p *place) bool {
	if p.parent == nil || p.start != p.content || !startsLine(e.text, p.entries[0].at) || !startsLine(e.text, e.behind(p.entries[len(p.entries)-1])) {
		return false
	}
	empty := " {}"
	if p.node.Kind == yaml.SequenceNode {
		empty = " []"
	}
	at := p.entry().after
	e.splice(at, at, empty)
	for _, entry := range p.entries {
		e.removeEntry(entry)
	}
	return true
}
