package manifest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestLinks: links of a directory lead nowhere else, and nothing is read twice.
func TestLinks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		links  map[string]string // what they lead to; "OUT" is a directory elsewhere, "IN" is the directory
		want   string            // names of the objects, sorted
		err    error
		listed int // by FilesIn
	}{
		"None":     {"all is read", nil, "a b", nil, 1},
		"File":     {"a link to a file that is read anyway adds nothing", map[string]string{"l.yaml": "sub/b.yaml"}, "a b", nil, 2},
		"Absolute": {"whatever way it goes", map[string]string{"sub/l.yaml": "IN/a.yaml", "m.yaml": "sub/../sub/l.yaml"}, "a b", nil, 2},
		"Hidden": {
			reason: "a file that is read only by links is read once, as in a mounted ConfigMap",
			links:  map[string]string{"l.yaml": ".data/c.yaml", "m.yaml": "l.yaml", "sub/n.yaml": "../..data/d.yaml", "..data": ".data"},
			want:   "a b c d",
			listed: 3,
		},
		"Directory":      {"links to directories are not followed", map[string]string{"l": "sub", "m.yaml": "sub", "self": "."}, "a b", nil, 2},
		"OutFile":        {"a link out is an error", map[string]string{"l.yaml": "OUT/secret.yaml"}, "", ErrLink, 1},
		"OutRelative":    {"by dots as well", map[string]string{"sub/l.yaml": "../../out/secret.yaml"}, "", ErrLink, 1},
		"OutBySteps":     {"and by another link", map[string]string{"l.yaml": "up/secret.yaml", "up": "OUT"}, "", ErrLink, 1},
		"OutBeside":      {"a directory whose name begins alike is another", map[string]string{"l.yaml": "../in-too/secret.yaml"}, "", ErrLink, 1},
		"OutDirectory":   {"a directory elsewhere is not followed", map[string]string{"l": "OUT"}, "a b", nil, 1},
		"OutNamedAsFile": {"not if it has the name of a manifest either", map[string]string{"l.yaml": "OUT"}, "", ErrLink, 1},
		"Nowhere":        {"a link to no file hides nothing", map[string]string{"l.yaml": "none.yaml"}, "a b", nil, 1},
		"NowhereOut":     {"wherever it leads", map[string]string{"l.yaml": "OUT/none.yaml", "m.yaml": "a.yaml/none.yaml"}, "a b", nil, 1},
		"Circle":         {"nor one that leads to itself", map[string]string{"l.yaml": "m.yaml", "m.yaml": "l.yaml"}, "a b", nil, 1},
		"Ignored":        {"what .krmignore names is not looked at", map[string]string{"ignored.yaml": "OUT/secret.yaml"}, "a b", nil, 1},
		"Other":          {"nor what is no manifest", map[string]string{"README.md": "OUT/secret.yaml"}, "a b", nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			named := func(name string) string { return strings.ReplaceAll(oneObject, "NAME", name) }
			filetest.Write(t, top, map[string]string{
				"in/a.yaml": named("a"), "in/sub/b.yaml": named("b"), "in/.data/c.yaml": named("c"), "in/.data/d.yaml": named("d"), "in/.krmignore": "ignored.yaml\n",
				"out/secret.yaml": named("secret"), "in-too/secret.yaml": named("secret"),
			})
			dir := filepath.Join(top, "in")
			for link, target := range tc.links {
				target = strings.NewReplacer("OUT", filepath.Join(top, "out"), "IN", dir).Replace(target)
				if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			// The directory itself may be reached by a link.
			if err := os.Symlink("in", filepath.Join(top, "linked")); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{dir, filepath.Join(top, "linked"), filepath.Join(top, "linked") + "/."} {
				read, err := new(Reader).Paths([]string{path})
				if broken := map[string]int{"Nowhere": 1, "NowhereOut": 2, "Circle": 2}[name]; len(read.Broken) != broken {
					t.Errorf("%s: want %d broken links, got %v", tc.reason, broken, read.Broken)
				}
				var names []string
				for _, item := range read.Items {
					names = append(names, item.GetName())
				}
				slices.Sort(names)
				if got := strings.Join(names, " "); got != tc.want || !errors.Is(err, tc.err) || (err == nil) != (tc.err == nil) {
					t.Errorf("%s: %s: want %q, %v, got %q, %v", path, tc.reason, tc.want, tc.err, got, err)
				}
				if files, err := FilesIn(path); err != nil || len(files) != tc.listed {
					t.Errorf("%s: %s: want %d files, got %q, %v", path, tc.reason, tc.listed, files, err)
				}
			}
		})
	}
	dir := filetest.New(t, map[string]string{"elsewhere/a.yaml": strings.ReplaceAll(oneObject, "NAME", "a")})
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink("elsewhere/a.yaml", link); err != nil {
		t.Fatal(err)
	}
	if read, err := new(Reader).Paths([]string{link}); err != nil || len(read.Items) != 1 {
		t.Errorf("a file that the user names may be a link: %v", err)
	}
}
