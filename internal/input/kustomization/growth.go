package kustomization

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/utils"
)

const (
	// maxTimes is how many times replacements may multiply the original size of a value,
	// whatever that size is.
	maxTimes = 16
	// maxGrown is how many bytes replacements may add to a value that exceeds maxTimes.
	maxGrown = 1 << 20
	// maxFields is how many fields the replacements of a build may name.
	maxFields = 10_000
)

var (
	errGrows = fmt.Errorf("replacements copy what other replacements have enlarged, so that a value may become %d times as large and grow by more than %d MiB: "+
		"copy from a field that no replacement writes", maxTimes, maxGrown>>20)
	errFields = fmt.Errorf("replacements name more than %d fields: build it first, with kustomize", maxFields)
)

// copying is one field that a replacement writes, and the field that it reads.
type copying struct {
	from, to []string // nil means a value that is in the replacement itself
	joins    bool     // the value becomes a part of the existing value
}

// copyings returns the fields that a list of replacements copies, in order.
func copyings(list []types.Replacement) []copying {
	var out []copying
	for _, r := range list {
		var from []string
		if r.Source != nil {
			from = pathOf(r.Source.FieldPath)
		}
		for _, target := range r.Targets {
			if target == nil {
				continue
			}
			fields := target.FieldPaths
			if len(fields) == 0 {
				fields = []string{""}
			}
			for _, field := range fields {
				out = append(out, copying{from: from, to: pathOf(field), joins: target.Options != nil && target.Options.Delimiter != ""})
			}
		}
	}
	return out
}

func pathOf(field string) []string {
	if field == "" {
		field = types.DefaultReplacementFieldPath
	}
	return utils.SmarterPathSplitter(field, ".")
}

// grown is the maximum growth of values. It knows only their paths, not their objects.
type grown map[string]*growth

type growth struct {
	path []string
	by   float64
}

// sizes returns the maximum original size of a value at a path.
type sizes func(path []string) float64

// at returns the maximum size of the value at a path: its original size, and the growth of
// any value inside or around it.
func (g grown) at(path []string, first sizes) float64 {
	size := first(path)
	for _, one := range g {
		if overlap(one.path, path) {
			size += one.by
		}
	}
	return size
}

// apply adds what a replacement copies. If the target is a text with YAML in it, kustomize
// escapes the copy, which may double its size (kustomize filters/replacement).
func (g grown) apply(c copying, first sizes) {
	const escaped = 2
	size := escaped * first(nil)
	if c.from != nil {
		size = escaped * g.at(c.from, first)
	}
	key := strings.Join(c.to, "\x00")
	if g[key] == nil {
		g[key] = &growth{path: c.to}
	}
	if c.joins {
		g[key].by += size
	} else {
		g[key].by = max(g[key].by, size)
	}
}

// merge adds the growth of other objects.
func (g grown) merge(other grown) {
	for key, one := range other {
		if g[key] == nil {
			g[key] = &growth{path: one.path}
		}
		g[key].by = max(g[key].by, one.by)
	}
}

// overlap reports whether one of two paths may lead to a value inside that of the other.
func overlap(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && !(selects(a[i]) && selects(b[i])) && a[i] != "*" && b[i] != "*" {
			return false
		}
	}
	return true
}

// selects reports whether a step of a path selects elements of a list.
func selects(step string) bool {
	return step == "-" || strings.HasPrefix(step, "[") || step != "" && !slices.ContainsFunc([]byte(step), func(c byte) bool { return c < '0' || c > '9' })
}
