package archtest

import (
	"go/ast"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		// settings reads the stated images, the lock its entries, the
		// others what a person names.
		callers: []string{"internal/images/lock", "internal/settings", "internal/cli", "internal/demo"},
		instead: "take the reference of the question, or ask plan.Subject.References",
	},
	{
		path: module + "/api/v1alpha1", function: "ParseRelease",
		// livecr reads the release of the cluster, oracle that of the stored answers, cli that
		// of --to-release, which no configuration states.
		callers: []string{"internal/cli", "internal/input/livecr", "internal/operators/oracle"},
		instead: "take the release of settings.Settings",
	},
	{
		path: module + "/internal/operators/hyperconverged", function: "Parse",
		callers: []string{"internal/operators/oracle"}, // which is outside of any run
		instead: "ask the hyperconverged.Parsed of the run",
	},
}

// TestEachThingIsParsedOnce: a step that parses again what an earlier step has parsed
// can come to another result.
func TestEachThingIsParsedOnce(t *testing.T) {
	t.Parallel()
	read := load(t)
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

// TestReleaseIsParsedOnce: only the settings of a run parse the release that the user
// states. A step that has only the text can come to another release than the rest, such as
// that of the live CR.
func TestReleaseIsParsedOnce(t *testing.T) {
	t.Parallel()
	var callers []string
	for at, s := range load(t) {
		for _, file := range s.files {
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if selector, ok := call.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "ParsedRelease" {
					callers = append(callers, at)
				}
				return true
			})
		}
	}
	if diff := cmp.Diff([]string{"internal/settings"}, callers); diff != "" {
		t.Errorf("the packages that parse spec.release (-want +got):\n%s", diff)
	}
}
