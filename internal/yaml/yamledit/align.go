package yamledit

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// These are the scores for how well two elements match.
const (
	unfit     = 0
	alike     = 1 // both are lists, literal texts, or objects without a name
	sameName  = 4
	identical = 6
)

// maxAligned is the maximum number of comparisons to align two lists. Above that, align
// matches elements by their names, and then by their indexes.
const maxAligned = 1 << 14

// align returns, for each wanted element, the index of the element to change into it, or
// -1 for a new element. Elements keep their order. Where the wanted tree was read from the
// text, an element is the one that was read at its position. Elsewhere as many as possible
// stay unchanged.
func (e *edit) align(have, want []*yaml.Node) []int {
	return between(have, want, e.readAt(have, want), e.compare)
}

// between returns the pairs of two lists, where known has some of them in increasing order,
// and align finds those between two known ones.
func between[T any](have, want []T, known []int, align func(have, want []T) []int) []int {
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

// betweenEnds pairs the elements at the beginning and at the end of two lists that are the same.
// align finds the pairs between them.
func betweenEnds[T any](have, want []T, same func(a, b T) bool, align func(have, want []T) []int) []int {
	known := slices.Repeat([]int{-1}, len(want))
	head := 0
	for head < len(have) && head < len(want) && same(have[head], want[head]) {
		known[head] = head
		head++
	}
	for i, j := len(have)-1, len(want)-1; i >= head && j >= head && same(have[i], want[j]); i, j = i-1, j-1 {
		known[j] = i
	}
	return between(have, want, known, align)
}

// compare aligns two lists by their values.
func (e *edit) compare(have, want []*yaml.Node) []int {
	return betweenEnds(have, want, e.Same, func(have, want []*yaml.Node) []int {
		if len(have)*len(want) > maxAligned {
			return e.byName(have, want)
		}
		return best(have, want, e.fit)
	})
}

// byName aligns two long lists by the names that only one element of each has, and by
// indexes between those.
func (e *edit) byName(have, want []*yaml.Node) []int {
	at := map[string]int{}
	for i, n := range have {
		name := nameOf(yamlnode.Dealias(n))
		if _, twice := at[name]; twice || name == "" {
			i = -1
		}
		at[name] = i
	}
	wanted := map[string]int{}
	for _, n := range want {
		wanted[nameOf(yamlnode.Dealias(n))]++
	}
	known := slices.Repeat([]int{-1}, len(want))
	for j, n := range want {
		name := nameOf(yamlnode.Dealias(n))
		if i, ok := at[name]; ok && wanted[name] == 1 {
			known[j] = i
		}
	}
	return between(have, want, increasing(known), func(have, want []*yaml.Node) []int {
		if len(have)*len(want) <= maxAligned {
			return best(have, want, e.fit)
		}
		index := slices.Repeat([]int{-1}, len(want))
		for k := range min(len(have), len(want)) {
			index[k] = k
		}
		return index
	})
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

// best aligns two lists so that the sum of the scores of the pairs is the highest.
func best[T any](have, want []T, fit func(have, want T) int8) []int {
	sums := make([][]int, len(have)+1)
	fits := make([][]int8, len(have)) // small, because the lines of a text can be many
	for i := range sums {
		sums[i] = make([]int, len(want)+1)
	}
	for i := len(have) - 1; i >= 0; i-- {
		fits[i] = make([]int8, len(want))
		for j := len(want) - 1; j >= 0; j-- {
			fits[i][j] = fit(have[i], want[j])
			sums[i][j] = max(sums[i+1][j], sums[i][j+1])
			if fits[i][j] > unfit {
				sums[i][j] = max(sums[i][j], sums[i+1][j+1]+int(fits[i][j]))
			}
		}
	}
	out := slices.Repeat([]int{-1}, len(want))
	for i, j := 0, 0; i < len(have) && j < len(want); {
		switch {
		case fits[i][j] > unfit && sums[i][j] == sums[i+1][j+1]+int(fits[i][j]):
			out[j] = i
			i, j = i+1, j+1
		case sums[i][j] == sums[i+1][j]:
			i++
		default:
			j++
		}
	}
	return out
}

func (e *edit) fit(have, want *yaml.Node) int8 {
	if e.Same(have, want) {
		return identical
	}
	have, want = yamlnode.Dealias(have), yamlnode.Dealias(want)
	switch {
	case have.Kind != want.Kind:
		return unfit
	case have.Kind == yaml.ScalarNode && isBlockText(have) && isBlockText(want):
		return alike // such as two versions of a patch
	case have.Kind == yaml.ScalarNode:
		return unfit
	}
	a, b := nameOf(have), nameOf(want)
	switch {
	case a != b:
		return unfit
	case a == "":
		return alike
	}
	return sameName
}

// isBlockText reports whether a scalar is a literal text of several lines.
func isBlockText(n *yaml.Node) bool {
	return n.Style&yaml.LiteralStyle != 0 && strings.Contains(n.Value, "\n")
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
