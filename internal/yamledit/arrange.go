package yamledit

import "sigs.k8s.io/kustomize/kyaml/yaml"

// arrangement is what becomes of the entries of a collection.
type arrangement struct {
	*place

	gone  []bool // by entry
	fresh []fresh
}

// fresh is an entry that is put in behind another, or first of all at -1.
type fresh struct {
	after      int
	key, value *yaml.Node
}

// kept returns the nearest entry that stays, from i on in steps of one; -1 if there
// is none.
func (a arrangement) kept(i, step int) int {
	for ; i >= 0 && i < len(a.gone); i += step {
		if !a.gone[i] {
			return i
		}
	}
	return -1
}

// arrange takes entries out of a collection and puts new ones in.
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

// rearrange puts new entries in the place of all that a block has, and keeps the
// comments between them. It reports false where that is not possible.
func (e *edit) rearrange(a arrangement) bool {
	if a.flow || len(a.fresh) == 0 || !startsLine(e.text, a.entries[0].at) || a.node.Style&yaml.TaggedStyle != 0 || e.behind(a.entries[len(a.entries)-1]) == len(e.text) {
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
