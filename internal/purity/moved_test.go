package purity

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var quotedPath = regexp.MustCompile("`([a-z0-9/]+)`")

// TestMovedPackagesAreWhereTheDocsSay: each package of the table of former public packages
// exists where the table says, and the table has each public one.
func TestMovedPackagesAreWhereTheDocsSay(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "## Where the public packages went")
	table, _, _ = strings.Cut(table, "\n## ")
	var now []string
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.Contains(line, "---") || strings.Contains(line, "| before |") {
			continue
		}
		target := quotedPath.FindStringSubmatch(cells[2])
		if target == nil {
			t.Errorf("no package found in %q", line)
			continue
		}
		if !strings.Contains(cells[2], "of that name") {
			now = append(now, target[1])
			continue
		}
		for _, before := range quotedPath.FindAllStringSubmatch(cells[1], -1) {
			now = append(now, path.Join(target[1], path.Base(before[1])))
		}
	}
	for _, at := range now {
		if _, ok := row(packages, at); !ok {
			t.Errorf("the docs say that a package went to %q, which is not in the list", at)
		}
	}
	for _, at := range public {
		if !slices.Contains(now, at) {
			t.Errorf("the table lacks the public package %q", at)
		}
	}
	if len(now) < 25 {
		t.Errorf("only %d packages read from the table", len(now))
	}
}
