package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// skips matches a call that leaves a test undone.
var skips = regexp.MustCompile(`\.Skip[A-Za-z]*[(]`)

// TestNothingIsSkipped: a test that skips itself passes on a system where nobody has tried what it
// is about. Files for one system have build constraints.
func TestNothingIsSkipped(t *testing.T) {
	t.Parallel()
	if !skips.MatchString("t." + `SkipNow()`) {
		t.Fatal("the expression misses a skip")
	}
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && ignoredByGo(path):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(path)
		if files++; skips.Match(data) {
			t.Errorf("%s skips a test: make it hold on each system, or give its file a build constraint", path)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("%d files read from %s, %v", files, root, err)
	}
}
