package spelling

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

// FuzzWithin: what needs n slips is within n and not within n-1, as the table of all
// prefixes says, which takes every way from one word to the other.
func FuzzWithin(f *testing.F) {
	for _, pair := range [][2]string{
		{"abab", "baba"},
		{"aab", "aba"},
		{"acbd", "abcd"},
		{"gates", "gtaes"},
		{"aaa", "aa"},
		{"xabx", "xbax"},
		{"", ""},
		{"", "abc"},
		{"abc", "abc"},
		{"abc", "axc"},
		{"kitten", "sitting"},
		{"flaw", "lawn"},
		{"ca", "abc"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 12 || len(b) > 12 {
			return
		}
		need := slipsBetween(a, b)
		for slips := range 4 {
			if got := within(slips, a, b); got != (need <= slips) {
				t.Errorf("%d slips from %q to %q: %v, and %d are needed", slips, a, b, got, need)
			}
		}
	})
}

// slipsBetween computes the slips between all prefixes of two words.
func slipsBetween(a, b string) int {
	table := map[[2]int]int{}
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			best := max(i, j)
			if i > 0 && j > 0 {
				same := 1
				if a[i-1] == b[j-1] {
					same = 0
				}
				best = min(table[[2]int{i - 1, j}]+1, table[[2]int{i, j - 1}]+1, table[[2]int{i - 1, j - 1}]+same)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				best = min(best, table[[2]int{i - 2, j - 2}]+1)
			}
			table[[2]int{i, j}] = best
		}
	}
	return table[[2]int{len(a), len(b)}]
}

// TestDidYouMean: a suggestion is made only for a word that is really near.
func TestDidYouMean(t *testing.T) {
	t.Parallel()
	words := []string{"existing", "expand", "gate", "workloadArchitectures"}
	for _, test := range []struct{ reason, got, want string }{
		{"letters swapped", "exsiting", `; did you mean "existing"?`},
		{"another case", "GATE", `; did you mean "gate"?`},
		{"cut short", "workload", `; did you mean "workloadArchitectures"?`},
		{"like none", "zzzzzzzzzzzz", ""},
		{"nothing", "", ""},
		{"another word of the same length", "banana", ""},
		{"half of the letters are others", "gale-xy", ""},
		{"a short word with one slip", "gat", `; did you mean "gate"?`},
		{"the word itself", "gate", ""},
	} {
		if hint := DidYouMean(test.got, words); hint != test.want {
			t.Errorf("%s: %q gives %q, expected %q", test.reason, test.got, hint, test.want)
		}
	}
}
