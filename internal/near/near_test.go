package near

import "testing"

func TestWord(t *testing.T) {
	t.Parallel()
	words := []string{"featureGates", "dataImportCronTemplates", "infra", "name", "url", "workloads", "enableMultiArchBootImageImport"}
	for _, tc := range []struct{ reason, written, want string }{
		{"another case", "featuregates", "featureGates"},
		{"a separator", "feature-gates", "featureGates"},
		{"a singular", "dataImportCronTemplate", "dataImportCronTemplates"},
		{"a plural", "enableMultiArchBootImageImports", "enableMultiArchBootImageImport"},
		{"two letters swapped", "nifra", "infra"},
		{"two slips in a long word", "fetureGtes", "featureGates"},
		{"a slip in a word of medium length", "worklads", "workloads"},
		{"three are too many", "fetreGtes", ""},
		{"two slips in a short word are another word", "input", ""},
		{"a very short word is not guessed", "uri", ""},
		{"the word itself", "infra", ""},
		{"nothing", "", ""},
		{"bytes that are no text", "\xff\xfe", ""},
	} {
		if got := Word(tc.written, words); got != tc.want {
			t.Errorf("%s: %q is near %q, want %q", tc.reason, tc.written, got, tc.want)
		}
	}
	if got := Word("abcde", nil); got != "" {
		t.Errorf("no words: got %q", got)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "axc", 1}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}} {
		if got := Distance(tc.a, tc.b); got != tc.want {
			t.Errorf("from %q to %q: %d, want %d", tc.a, tc.b, got, tc.want)
		}
		if got := Distance(tc.b, tc.a); got != tc.want {
			t.Errorf("back from %q to %q: %d, want the same, %d", tc.b, tc.a, got, tc.want)
		}
	}
}
