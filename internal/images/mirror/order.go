package mirror

import (
	"maps"
	"slices"
)

// order says, for some pairs of names, which one comes first.
type order struct {
	after   map[string]map[string]bool // name -> names that come later
	waiting map[string]map[string]bool // name -> names that must come first
}

// before records that a comes before b.
func (o *order) before(a, b string) {
	if o.after == nil {
		o.after, o.waiting = map[string]map[string]bool{}, map[string]map[string]bool{}
	}
	for _, name := range []string{a, b} {
		if o.after[name] == nil {
			o.after[name], o.waiting[name] = map[string]bool{}, map[string]bool{}
		}
	}
	o.after[a][b] = true
	o.waiting[b][a] = true
}

// sorted returns all names, each once. It starts with the names that wait for no other one.
// Names that this releases follow, in alphabetical order. In a cycle the first name in
// alphabetical order goes first. This is exactly OpenShift's order (runtime-utils
// pkg/registries, topoGraph): otherwise goldenarch and the nodes could query different
// mirrors first.
func (o *order) sorted() []string {
	names := slices.Sorted(maps.Keys(o.after))
	var free, out []string
	done := map[string]bool{}
	for _, name := range names {
		if len(o.waiting[name]) == 0 {
			free = append(free, name)
		}
	}
	for len(out) < len(names) {
		if len(free) == 0 {
			free = []string{names[slices.IndexFunc(names, func(name string) bool { return !done[name] })]}
		}
		name := free[0]
		free = free[1:]
		out, done[name] = append(out, name), true
		for _, next := range slices.Sorted(maps.Keys(o.after[name])) {
			delete(o.waiting[next], name)
			if len(o.waiting[next]) == 0 && !done[next] {
				free = append(free, next)
			}
		}
	}
	return out
}
