package archtest

import (
	"go/ast"
	"strings"
	"testing"
)

// writesIndex are the packages that write an index in brackets which is not that of a field.
var writesIndex = map[string]string{
	"internal/repo": "the parameters of an ApplicationSet: path[0]",
}

// TestFieldPathsAreWrittenInOnePlace: package fieldpath adds indexes to the path of a field. A
// path that is written by hand differs from the others where a key has a dot.
func TestFieldPathsAreWrittenInOnePlace(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for name, s := range load(t) {
		for _, file := range s.files {
			ast.Inspect(file, func(n ast.Node) bool {
				text, is := n.(*ast.BasicLit)
				if !is || !strings.HasPrefix(text.Value, `"%s[%d]`) {
					return true
				}
				if used[name] = true; writesIndex[name] == "" {
					t.Errorf("%s writes the path of a field by hand, %s: use fieldpath.Element", name, text.Value)
				}
				return true
			})
		}
	}
	for name := range writesIndex {
		if !used[name] {
			t.Errorf("%s has leave to write indexes and does not: take it away", name)
		}
	}
}
