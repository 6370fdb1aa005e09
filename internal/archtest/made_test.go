package archtest

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

var update = flag.Bool("update", false, "write the table of docs/dev/architecture.md")

// TestPackagesAreDocumented: docs/dev/architecture.md has the packages and the nested modules of the list.
func TestPackagesAreDocumented(t *testing.T) {
	t.Parallel()
	page := filepath.Join(root, "docs/dev/architecture.md")
	filetest.Part(t, page, "packages", packagesTable(packages), *update)
	modules := "| module | what it does |\n|---|---|\n"
	for _, p := range nested {
		modules += fmt.Sprintf("| `%s` | %s |\n", p.path, p.idea)
	}
	filetest.Part(t, page, "modules", modules, *update)
}

// packagesTable returns a row for each package, and for each directory of packages, at most one level below internal. It names the
// packages below. Those of tests have only their doc.go.
func packagesTable(list []pkg) string {
	const levels = 2
	ideas, below := map[string]string{}, map[string][]string{}
	for _, p := range list {
		parts := strings.Split(p.path, "/")
		if parts[0] == "test" {
			continue
		}
		if parts[0] != "internal" || len(parts) <= levels {
			ideas[path.Join(".", p.path)] = p.idea
			continue
		}
		top := path.Join(parts[:levels]...)
		if _, ok := ideas[top]; !ok {
			ideas[top] = "" // no package itself
		}
		below[top] = append(below[top], "`"+path.Join(parts[levels:]...)+"`")
	}
	text := "| package | what it does | below it |\n|---|---|---|\n"
	for _, name := range slices.Sorted(maps.Keys(ideas)) {
		slices.Sort(below[name])
		text += fmt.Sprintf("| `%s` | %s | %s |\n", name, ideas[name], strings.Join(below[name], ", "))
	}
	return text
}

// TestNestedModules: each module of the repository has a row, and each row a module.
func TestNestedModules(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, p := range nested {
		want = append(want, p.path)
	}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && ignoredByGo(file):
			return filepath.SkipDir
		case entry.Name() == "go.mod" && filepath.Dir(file) != filepath.Clean(root):
			below, err := filepath.Rel(root, filepath.Dir(file))
			got = append(got, filepath.ToSlash(below))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list nested in packages_test.go is not what the repository has (-list +repository):\n%s", diff)
	}
}
