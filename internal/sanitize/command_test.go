package sanitize

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
