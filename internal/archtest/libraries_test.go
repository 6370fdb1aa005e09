package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const librariesPage = "../../docs/dev/libraries.md"

// TestLibrariesNameTheirFiles: each row of docs/dev/libraries.md names files of goldenarch that
// exist, or those of the row above, and the tests that the page names exist.
func TestLibrariesNameTheirFiles(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(librariesPage)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| what ") {
			continue
		}
		rows++
		if len(cells) != 5 {
			t.Errorf("the row has %d cells, not what, library, measurement, decision and files: %s", len(cells), line)
			continue
		}
		files := strings.TrimSpace(cells[4])
		if files == "the same" && rows > 1 {
			continue
		}
		for file := range strings.SplitSeq(files, ", ") {
			if info, err := os.Stat(filepath.Join("../..", strings.Trim(file, "`"))); err != nil || info.IsDir() {
				t.Errorf("%s is no file of goldenarch, in the row %s", file, line)
			}
		}
	}
	if rows < 20 {
		t.Errorf("only %d rows found in %s", rows, librariesPage)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(string(page), -1)
	tests := allTests(t)
	for _, n := range named {
		if !strings.Contains(tests, "\nfunc "+n[1]+"(") {
			t.Errorf("no test %s found", n[1])
		}
	}
}

// allTests returns the text of all tests below internal and fn.
func allTests(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for _, root := range []string{"..", "../../fn"} {
		err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			out.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}
