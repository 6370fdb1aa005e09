package purity

import (
	"maps"
	"slices"
	"testing"
)

// parsers are the functions that read a text which a run has once, and the packages
// that may call them. All others get what was read.
var parsers = []struct {
	path, function string
	callers        []string
	instead        string
}{
	{
		path: module + "/internal/images/imageref", function: "Parse",
		// subject reads the overrides, pipeline the images of pods, the lock its entries, the
		// others what a person or a registry names.
		callers: []string{"internal/images/registry", "internal/images/lock", "internal/subject", "internal/pipeline", "internal/cli", "internal/demo"},
		instead: "take the reference of the question, or ask plan.Subject.References",
	},
	{path: module + "/internal/operators/hyperconverged", function: "Parse", instead: "ask the hyperconverged.Parsed of the run"},
}

// TestEachThingIsParsedOnce: a step that parses again what an earlier step has parsed
// can come to another result.
func TestEachThingIsParsedOnce(t *testing.T) {
	t.Parallel()
	read := load(t, root)
	for _, p := range parsers {
		seen := 0
		for _, at := range slices.Sorted(maps.Keys(read)) {
			if !slices.Contains(read[at].uses(p.path), p.function) {
				continue
			}
			if seen++; !slices.Contains(p.callers, at) {
				t.Errorf("%s calls %s.%s: %s", at, p.path, p.function, p.instead)
			}
		}
		if seen != len(p.callers) {
			t.Errorf("%s.%s has %d callers and the list %d: remove what calls it no more", p.path, p.function, seen, len(p.callers))
		}
	}
}
