package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// copied copies a directory of the repository, so that a host may write in it.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(filepath.Join(repository(t), dir))); err != nil {
		t.Fatal(err)
	}
	return to
}

// written makes a directory of the given files.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree reads every file of a directory, by its path below it.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// blocks returns the fenced blocks of a language in a README.
func blocks(t *testing.T, readme, language string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repository(t), readme))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, found := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		list = append(list, found[1])
	}
	if len(list) == 0 {
		t.Fatalf("%s shows no %s: its expected result cannot be held against the real one", readme, language)
	}
	return list
}

// added returns the lines of b that a has not, in order. It is for edits that
// only add lines; anything else is an error.
func added(t *testing.T, a, b string) []string {
	t.Helper()
	var list []string
	old := strings.Split(a, "\n")
	for line := range strings.SplitSeq(b, "\n") {
		if len(old) > 0 && line == old[0] {
			old = old[1:]
			continue
		}
		list = append(list, line)
	}
	if len(old) > 0 {
		t.Errorf("the line %q was changed or lost", old[0])
	}
	return list
}
