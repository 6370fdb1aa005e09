package filetest

import (
	"os"
	"strings"
	"testing"
)

// Part compares a part of a page with what a test makes of the code, or writes it. The part is between two comments with its name.
func Part(t testing.TB, page, name, want string, update bool) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- begin: "+name+", made by make update -->\n", "<!-- end: "+name+" -->\n"
	before, rest, ok := strings.Cut(string(data), begin)
	got, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks the lines\n%s%s", page, begin, end)
	}
	if update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil { //nolint:gosec // a page that a test names
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("%s: the part %q is not what the test makes; make update writes it:\n%s", page, name, firstOther(got, want))
	}
}

// firstOther returns the first line that two texts do not share.
func firstOther(got, want string) string {
	lines := strings.Split(got, "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(lines) || lines[i] != line {
			return "want " + line
		}
	}
	return "the page has more"
}
