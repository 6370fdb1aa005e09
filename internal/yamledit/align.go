package yamledit

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// These are the scores for how well two elements match.
const (
	unfit     = 0
	alike     = 1 // both are lists, literal texts, or objects without a name
	sameName  = 4
	identical = 6
)

// maxAligned is the maximum number of comparisons to align two lists. Above that, align
// matches elements by their indexes.
const maxAligned = 1 << 20

// align returns, for each wanted element, the index of the element to change into it, or
// -1 for a new element. Elements keep their order, and as many as possible stay unchanged.
func (e *edit) align(have, want []*yaml.Node) []int {
	out := make([]int, len(want))
	for j := range out {
		out[j] = -1
	}
	head := 0
	for head < len(have) && head < len(want) && e.Same(have[head], want[head]) {
		out[head] = head
		head++
	}
	i, j := len(have), len(want)
	for i > head && j > head && e.Same(have[i-1], want[j-1]) {
		i, j = i-1, j-1
		out[j] = i
	}
	if (i-head)*(j-head) > maxAligned {
		for k := head; k < min(i, j); k++ {
			out[k] = k
		}
		return out
	}
	for k, found := range e.best(have[head:i], want[head:j]) {
		if found >= 0 {
			out[head+k] = head + found
		}
	}
	return out
}

// best aligns two lists so that the sum of the scores of the pairs is the highest.
func (e *edit) best(have, want []*yaml.Node) []int {
	sums := make([][]int, len(have)+1)
	fits := make([][]int, len(have))
	for i := range sums {
		sums[i] = make([]int, len(want)+1)
	}
	for i := len(have) - 1; i >= 0; i-- {
		fits[i] = make([]int, len(want))
		for j := len(want) - 1; j >= 0; j-- {
			fits[i][j] = e.fit(have[i], want[j])
			sums[i][j] = max(sums[i+1][j], sums[i][j+1])
			if fits[i][j] > unfit {
				sums[i][j] = max(sums[i][j], sums[i+1][j+1]+fits[i][j])
			}
		}
	}
	out := make([]int, len(want))
	for j := range out {
		out[j] = -1
	}
	for i, j := 0, 0; i < len(have) && j < len(want); {
		switch {
		case fits[i][j] > unfit && sums[i][j] == sums[i+1][j+1]+fits[i][j]:
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

func (e *edit) fit(have, want *yaml.Node) int {
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
	if n.Kind != yaml.MappingNode {
		return ""
	}
	var name, key string
	for field, value := range yamlnode.Fields(n) {
		switch field {
		case "name":
			name = "name " + value.Value
		case "key":
			key = "key " + value.Value
		case "metadata":
			if inner := nameOf(value); inner != "" {
				return kindOf(n) + inner
			}
		}
	}
	if name != "" {
		return name
	}
	return key
}

func kindOf(n *yaml.Node) string {
	for key, value := range yamlnode.Pairs(n) {
		if key.Value == "kind" {
			return value.Value + " "
		}
	}
	return ""
}
