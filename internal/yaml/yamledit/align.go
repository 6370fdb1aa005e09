package yamledit

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// align returns, for each wanted element, the index of the element to change into it, or
// -1 for a new element. Elements keep their order. Where the wanted tree was read from the
// text, an element is the one that was read at its position. Elsewhere it is the one with its name or
// its text, or at its index among those that have neither.
func (e *edit) align(have, want []*yaml.Node) []int {
	return between(have, want, e.readAt(have, want), func(have, want []*yaml.Node) []int {
		return between(have, want, sameEnds(have, want), func(have, want []*yaml.Node) []int {
			return between(have, want, byName(have, want), byIndex)
		})
	})
}

// between returns the pairs of two lists, where known has some of them in increasing order,
// and align finds those between two known ones.
func between(have, want []*yaml.Node, known []int, align func(have, want []*yaml.Node) []int) []int {
	out := slices.Clone(known)
	i, j := 0, 0
	upTo := func(toHave, toWant int) {
		if toHave > i && toWant > j {
			for k, found := range align(have[i:toHave], want[j:toWant]) {
				if found >= 0 {
					out[j+k] = i + found
				}
			}
		}
		i, j = toHave+1, toWant+1
	}
	for k, at := range known {
		if at >= 0 {
			upTo(at, k)
		}
	}
	upTo(len(have), len(want))
	return out
}

// sameEnds pairs the elements at the beginning and at the end of two lists that are the same.
func sameEnds(have, want []*yaml.Node) []int {
	out := slices.Repeat([]int{-1}, len(want))
	head := 0
	for head < len(have) && head < len(want) && yamlnode.Same(have[head], want[head]) {
		out[head] = head
		head++
	}
	for i, j := len(have)-1, len(want)-1; i >= head && j >= head && yamlnode.Same(have[i], want[j]); i, j = i-1, j-1 {
		out[j] = i
	}
	return out
}

// byName returns, for each wanted element, the index of the element with its name, or -1. Each of
// them is the only one in its list with the name. The indexes increase.
func byName(have, want []*yaml.Node) []int {
	at := map[string]int{}
	for i, n := range have {
		name := textOrName(n)
		if _, twice := at[name]; twice || name == "" {
			i = -1
		}
		at[name] = i
	}
	wanted := map[string]int{}
	for _, n := range want {
		wanted[textOrName(n)]++
	}
	out := slices.Repeat([]int{-1}, len(want))
	for j, n := range want {
		name := textOrName(n)
		if i, ok := at[name]; ok && wanted[name] == 1 {
			out[j] = i
		}
	}
	return increasing(out)
}

// byIndex pairs the elements of two lists that have no name, in their order. A list, an object and a
// text do not become each other.
func byIndex(have, want []*yaml.Node) []int {
	var unnamed []int
	for i, n := range have {
		if textOrName(n) == "" {
			unnamed = append(unnamed, i)
		}
	}
	out := slices.Repeat([]int{-1}, len(want))
	for j, n := range want {
		if len(unnamed) == 0 || textOrName(n) != "" {
			continue
		}
		if i := unnamed[0]; yamlnode.Dealias(have[i]).Kind == yamlnode.Dealias(n).Kind {
			out[j] = i
		}
		unnamed = unnamed[1:]
	}
	return out
}

// increasing keeps the longest increasing sequence of the indexes, and puts -1 in the place
// of the others (patience sorting).
func increasing(indexes []int) []int {
	var tails []int // the positions at which the best sequences of each length end
	before := make([]int, len(indexes))
	for j, i := range indexes {
		if i < 0 {
			continue
		}
		length, _ := slices.BinarySearchFunc(tails, i, func(tail, i int) int { return indexes[tail] - i })
		before[j] = -1
		if length > 0 {
			before[j] = tails[length-1]
		}
		if length == len(tails) {
			tails = append(tails, j)
		} else {
			tails[length] = j
		}
	}
	out := slices.Repeat([]int{-1}, len(indexes))
	if len(tails) == 0 {
		return out
	}
	for j := tails[len(tails)-1]; j >= 0; j = before[j] {
		out[j] = indexes[j]
	}
	return out
}

// linesBefore returns what to add to the line of a node of a wanted tree for its line in the text of a
// root. The tree was read from that text, or from a text around it.
func linesBefore(root, want *yaml.Node) int {
	for root.Line > 0 && want.Line == 0 && len(root.Content) > 0 && len(want.Content) > 0 {
		root, want = root.Content[0], want.Content[0] // a list or a mapping around what was read
	}
	return root.Line - want.Line
}

// readAt returns, for each wanted element, the index of the element that was read at its
// position, or -1. The indexes increase.
func (e *edit) readAt(have, want []*yaml.Node) []int {
	type position struct{ line, column int }
	at := make(map[position]int, len(have))
	for i, n := range have {
		at[position{n.Line, n.Column}] = i
	}
	out := slices.Repeat([]int{-1}, len(want))
	for j, n := range want {
		read := position{n.Line + e.lines, n.Column}
		i, ok := at[read]
		if ok && n.Line > 0 && have[i].Kind == n.Kind && nameOf(have[i]) == nameOf(n) {
			out[j] = i
			delete(at, read) // an alias of the element has the position of its anchor, too
		}
	}
	return increasing(out)
}

// textOrName returns what distinguishes an element from the others of its list: its text, or its
// name; "" if it has neither. A literal text of several lines, such as a patch, changes line by line.
func textOrName(n *yaml.Node) string {
	n = yamlnode.Dealias(n)
	switch {
	case n.Kind != yaml.ScalarNode:
		return nameOf(n)
	case n.Style&yaml.LiteralStyle != 0 && strings.Contains(n.Value, "\n"):
		return ""
	}
	return "= " + n.Value
}

// nameOf returns the name that distinguishes an element from the others of its list, or ""
// if it has none.
func nameOf(n *yaml.Node) string {
	if metadata := yamlnode.Get(n, "metadata"); metadata != nil {
		if name := nameOf(metadata); name != "" {
			return yamlnode.Text(n, "kind") + " " + name
		}
	}
	for _, field := range []string{"name", "key"} {
		if value := yamlnode.Get(n, field); value != nil {
			return field + " " + value.Value
		}
	}
	return ""
}
