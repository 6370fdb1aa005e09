package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

const oneObject = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\n"

func TestPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	named := func(name string) string { return strings.ReplaceAll(oneObject, "NAME", name) }
	filetest.Write(t, dir, map[string]string{
		"b.yaml": named("b"), "a.yml": named("a"), "sub/c.json": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}`,
		".hidden/x.yaml": named("x"), "README.md": "# no manifest", "skip/y.yaml": named("y"), "values.yaml": "replicas: 1",
		".krmignore": "skip/\nvalues.yaml\n", "t.yaml": "kind: {{ x }}: {{ y }}",
	})
	read, err := new(Reader).Paths([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, item := range read.Items {
		names = append(names, item.GetName())
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(names, want) {
		t.Errorf("want the manifests %v in lexical order, got %v", want, names)
	}
	if len(read.Templated) != 1 || filepath.Base(read.Templated[0]) != "t.yaml" {
		t.Errorf("want the templated file named, got %v", read.Templated)
	}
	if _, err := new(Reader).Paths([]string{filepath.Join(dir, "none.yaml")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing path is an error: %v", err)
	}
	filetest.Write(t, dir, map[string]string{"built/kustomization.yaml": oneObject, "built/Kustomization": oneObject, "built/kustomization.yml": oneObject})
	for _, name := range []string{"kustomization.yaml", "Kustomization", "kustomization.yml"} {
		_, err := new(Reader).Paths([]string{filepath.Join(dir, "a.yml"), filepath.Join(dir, "built", name)})
		if want := "name the directory, " + filepath.Join(dir, "built"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a kustomization is no manifest, whatever is in it: want an error with %q, got %v", want, err)
		}
	}
	filetest.Write(t, dir, map[string]string{"sub/kustomization.yaml": "resources: [c.json]"})
	if _, err := new(Reader).Paths([]string{dir}); !errors.Is(err, ErrKustomization) {
		t.Errorf("a kustomization has to be built first: %v", err)
	}
}

// TestBelowNamesTheDirectory: the error says in which directory there is no such file, which is
// not always the working directory, and names no system call.
func TestBelowNamesTheDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := new(Reader).Below(dir, "live/lab.yaml")
	want := fmt.Sprintf("read input %q below the directory %q: ", "live/lab.yaml", dir)
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error()[len(want):], "lab.yaml") {
		t.Errorf("got %v, want %s and the reason", err, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v hides its reason", err)
	}
}

func TestBelowStaysBelow(t *testing.T) {
	t.Parallel()
	dir := filetest.New(t, map[string]string{"secret.yaml": oneObject, "work/sub/in.yaml": oneObject, "work/kustomization.yaml": oneObject})
	if err := os.Symlink("../secret.yaml", filepath.Join(dir, "work/link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("sub", filepath.Join(dir, "work/inside")); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "work")
	for _, file := range []string{"sub/in.yaml", "inside/in.yaml"} {
		if items, err := new(Reader).Below(work, file); err != nil || len(items) != 1 {
			t.Errorf("%s is below the directory: %v", file, err)
		}
	}
	for _, file := range []string{"../secret.yaml", "link.yaml", filepath.Join(dir, "secret.yaml"), "none.yaml", "sub", "kustomization.yaml"} {
		if _, err := new(Reader).Below(work, file); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: want an error that names it, got %v", file, err)
		}
	}
}
