package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/LICENSE": "Apache\r\n", "a/NOTICE.txt": "by a", "a/sub/COPYING": "MIT", "a/testdata/LICENSE": "no", "a/license.go": "package a",
		"b/LICENCE.md": "Apache\n", "none/README": "x",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := texts(map[string]string{"m/b v1": filepath.Join(dir, "b"), "m/a v2": filepath.Join(dir, "a")})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"m/a v2: LICENSE\nm/b v1: LICENCE.md\n", "\nApache\n", "m/a v2: NOTICE.txt\n", "by a", "m/a v2: sub/COPYING\n", "MIT"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("want %q once in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "testdata") || strings.Contains(got, "package a") {
		t.Errorf("it has what is no licence:\n%s", got)
	}
	if _, err := texts(map[string]string{"m/none v1": filepath.Join(dir, "none")}); err == nil || !strings.Contains(err.Error(), "m/none v1") {
		t.Errorf("want an error that names the module without a text, got %v", err)
	}
	if _, err := texts(map[string]string{"m/gone v1": filepath.Join(dir, "gone")}); err == nil {
		t.Error("want an error for a module that is not in the cache")
	}
}

// TestRun: the binary that this test is has Go's own text and those of its modules.
func TestRun(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got, err := run([]string{self})
	if err != nil || !strings.Contains(got, ": LICENSE\n") || !strings.Contains(got, "The Go Authors") {
		t.Errorf("want Go's licence, got %.300q (error %v)", got, err)
	}
	if _, err := run(nil); err == nil {
		t.Error("want how it is used")
	}
	if escaped("github.com/BurntSushi/toml@v1.0.0-RC1") != "github.com/!burnt!sushi/toml@v1.0.0-!r!c1" {
		t.Error("the module cache writes capitals with a '!'")
	}
}
