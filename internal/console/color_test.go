package console_test

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/console"
)

// TestColored: only the words that a report begins a line with have a color, and what comes and goes.
func TestColored(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"error GA104 x: error y\n": "\x1b[31merror \x1b[mGA104 x: error y\n",
		"passed: RightAsCommitted": "\x1b[32mpassed\x1b[m: RightAsCommitted",
		"      - a: \"b\"\n":       "\x1b[31m      - a: \"b\"\x1b[m\n",
		"      + a: \"b\"\n":       "\x1b[32m      + a: \"b\"\x1b[m\n",
		"an error of a person\n":   "an error of a person\n",
	} {
		if got := console.Colored(text); got != want {
			t.Errorf("%q: want %q, got %q", text, want, got)
		}
	}
}
