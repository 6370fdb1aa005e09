package check

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
)

// places indexes the objects and findings: an input may have thousands of objects.
type places struct {
	crs      map[finding.Object]int
	findings map[finding.Object][]int
	indexed  int // findings
}

// cr returns the CR of the input that an object is, or nil for another object.
func (c *Result) cr(at finding.Object) *CR {
	if c.places.crs == nil {
		c.places.crs = firsts(c.CRs, func(cr CR) finding.Object { return cr.Object })
	}
	if i, is := c.places.crs[at]; is {
		return &c.CRs[i]
	}
	return nil
}

// about returns the indexes of the findings about an object, in order.
func (c *Result) about(at finding.Object) []int {
	if c.places.findings == nil {
		c.places.findings = map[finding.Object][]int{}
	}
	for ; c.places.indexed < len(c.Findings); c.places.indexed++ {
		object := c.Findings[c.places.indexed].Object
		c.places.findings[object] = append(c.places.findings[object], c.places.indexed)
	}
	return c.places.findings[at]
}

// find returns the index of the first finding about an object that meets a condition,
// or -1 if no finding does.
func (c *Result) find(at finding.Object, is func(finding.Finding) bool) int {
	for _, i := range c.about(at) {
		if is(c.Findings[i]) {
			return i
		}
	}
	return -1
}

// remove removes the findings about an object with an id.
func (c *Result) remove(at finding.Object, id finding.ID) {
	c.Findings = slices.DeleteFunc(c.Findings, func(f finding.Finding) bool { return f.Object == at && f.ID == id })
	c.places.findings, c.places.indexed = nil, 0
}

// firsts returns the index of the first element with each key.
func firsts[E any, K comparable](list []E, keyOf func(E) K) map[K]int {
	out := make(map[K]int, len(list))
	for i, element := range list {
		if key := keyOf(element); !has(out, key) {
			out[key] = i
		}
	}
	return out
}

func has[K comparable](m map[K]int, key K) bool {
	_, is := m[key]
	return is
}

func identityOf(cr CR) string { return kinds.Identity(cr.Object) }
