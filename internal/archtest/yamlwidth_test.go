package archtest

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is how many columns a line of YAML or Go has at most, so that a reviewer sees it
// whole beside another.
const widest = 160

// TestYAMLIsInReadableBlocks: no line of a YAML file is wider than a screen. JSON, of
// which a file can have one document in a line, is not judged.
func TestYAMLIsInReadableBlocks(t *testing.T) {
	t.Parallel()
	read := 0
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "bin"):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".yaml" && filepath.Ext(file) != ".yml":
			return nil
		}
		read++
		for _, line := range wideLines(t, file) {
			t.Errorf("%s:%d has more than %d columns: write the map or list as a block", file, line, widest)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 500 {
		t.Errorf("only %d files were read from %s", read, root)
	}
}

// wideLines returns the numbers of the lines that are too wide.
func wideLines(t *testing.T, file string) []int {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []int
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if text := lines.Text(); utf8.RuneCountInString(text) > widest && !strings.HasPrefix(text, `{"`) {
			out = append(out, n)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return out
}
