package wrapper

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPlacesAreDocumented: the table of docs/acm.md has each kind that goldenarch opens,
// with its group.
func TestPlacesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/acm.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(string(page), "\n")
	for _, p := range places {
		if !slices.ContainsFunc(rows, func(row string) bool {
			return strings.HasPrefix(row, "| `") && strings.Contains(row, "`"+p.kind+"`") && strings.Contains(row, "(`"+p.group+"`)")
		}) {
			t.Errorf("docs/acm.md has no row of %s (%s)", p.kind, p.group)
		}
	}
}
