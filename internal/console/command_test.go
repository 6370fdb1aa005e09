package console

import "testing"

func TestCommand(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		words  []string
		want   string
	}{
		{"words of a usual path", []string{"goldenarch", "check", "clusters/prod-1"}, "goldenarch check clusters/prod-1"},
		{"a shell cuts words at blanks", []string{"check", "my cluster"}, "check 'my cluster'"},
		{"an empty word is a word", []string{"check", ""}, "check ''"},
		{"a quote ends the quotes", []string{"check", "it's"}, `check 'it'\''s'`},
		{"nothing is run", []string{"check", "$(rm -rf .)"}, "check '$(rm -rf .)'"},
		{"nor a second command", []string{"check", "a;b"}, "check 'a;b'"},
		{"letters of other scripts are quoted", []string{"check", "nürnberg"}, "check 'nürnberg'"},
	} {
		if got := Command(tc.words...); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.reason, got, tc.want)
		}
	}
}

// TestPath: the name of a file in a pull request is no flag of the command that a user copies.
func TestPath(t *testing.T) {
	t.Parallel()
	got := Command(append([]string{"goldenarch", "check"}, CommandPaths([]string{"--untrusted=false", "-x/hco.yaml", "a-b", "./-c", "-"})...)...)
	if want := "goldenarch check ./--untrusted=false ./-x/hco.yaml a-b ./-c -"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}
