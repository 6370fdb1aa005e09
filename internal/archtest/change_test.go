package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPathsOfTheArchitecturePageExist: the parts of the page before the generated table name
// files and packages that exist, below internal or in the repository.
func TestPathsOfTheArchitecturePageExist(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, "docs/dev/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(data), "## The way of the data")
	page, _, _ = strings.Cut(page, "## The packages")
	checked := 0
	for _, match := range regexp.MustCompile("`([a-zA-Z0-9_./-]+)`").FindAllStringSubmatch(page, -1) {
		name := match[1]
		if first, _, path := strings.Cut(name, "/"); !path || strings.Contains(first, ".") {
			continue // a word, a command, or a package of somebody else
		}
		checked++
		if _, err := os.Stat(filepath.Join(root, "internal", name)); err == nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Errorf("docs/dev/architecture.md names %q, which is neither below internal nor in the repository", name)
		}
	}
	if checked < 40 {
		t.Errorf("only %d paths found in the page", checked)
	}
}
