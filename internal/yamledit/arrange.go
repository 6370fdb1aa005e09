package yamledit

import "sigs.k8s.io/kustomize/kyaml/yaml"

// arrangement has the entries to remove from a collection and to add to it.
type arrangement struct {
	*place

	gone  []bool // by entry
	fresh []fresh
}

// fresh is a new entry. It comes after the entry at an index, or first for -1.
type fresh struct {
	after      int
	key, value *yaml.Node
}

// kept returns the index of the nearest entry that stays, from i on in the direction of
// step. It returns -1 if no entry stays there.
func (a arrangement) kept(i, step int) int {
	for ; i >= 0 && i < len(a.gone); i += step {
		if !a.gone[i] {
			return i
		}
	}
	return -1
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
	switch {
	case a.kept(0, 1) < 0 && e.rearrange(a):
	case a.kept(0, 1) < 0:
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
