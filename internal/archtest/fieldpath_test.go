package archtest

import (
	"go/ast"
	"strings"
	"testing"
)

// TestFieldPathsAreWrittenInOnePlace: package fieldpath adds indexes to the path of a field. A
// path that is written by hand differs from the others where a key has a dot.
func TestFieldPathsAreWrittenInOnePlace(t *testing.T) {
	t.Parallel()
	for name, s := range load(t) {
		for _, file := range s.files {
			ast.Inspect(file, func(n ast.Node) bool {
				text, is := n.(*ast.BasicLit)
				if !is || !strings.HasPrefix(text.Value, `"%s[%d]`) {
					return true
				}
				t.Errorf("%s writes the path of a field by hand, %s: use fieldpath.Element", name, text.Value)
				return true
			})
		}
	}
}
