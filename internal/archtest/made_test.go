package archtest

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of docs/dev/architecture.md")

// made are the parts of files that are made from the list, between two lines that
// say so.
var made = map[string]struct {
	begin, end string
	text       func() string
}{
	"docs/dev/architecture.md": {
		"<!-- begin: made by go test ./internal/archtest -update -->\n", "<!-- end -->\n",
		func() string { return docsTable(packages, nested) },
	},
}

func TestWhatIsMadeFromTheListIsFresh(t *testing.T) {
	t.Parallel()
	for name, part := range made {
		file := filepath.Join(root, name)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, ok := strings.Cut(string(data), part.begin)
		got, after, closed := strings.Cut(rest, part.end)
		if !ok || !closed {
			t.Fatalf("%s lacks the lines %q and %q around what is made from the list", name, part.begin, part.end)
		}
		want := part.text()
		if *update {
			if err := os.WriteFile(file, []byte(before+part.begin+want+part.end+after), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Errorf("%s is not what the list says (-file +list); refresh with: go test ./internal/archtest -update\n%s", name, diff)
		}
	}
}

// docsTable returns the table of the packages and that of the nested modules.
func docsTable(list, modules []pkg) string {
	var b strings.Builder
	b.WriteString("\n| package | what it does |\n|---|---|\n")
	for _, p := range list {
		if p.users != nil && len(p.users) == 0 && strings.HasPrefix(p.path, "test/") {
			continue // its doc.go has the idea
		}
		idea := p.idea
		if p.pure {
			idea += " (pure)"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", path.Join(".", p.path), idea)
	}
	b.WriteString("\nModules of their own:\n\n| module | what it does |\n|---|---|\n")
	for _, p := range modules {
		fmt.Fprintf(&b, "| `%s` | %s |\n", p.path, p.idea)
	}
	b.WriteString("\n")
	return b.String()
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
