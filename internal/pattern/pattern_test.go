package pattern_test

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

func TestOf(t *testing.T) {
	t.Parallel()
	digits := pattern.Of(`^\d+$`)
	first, second := digits(), digits()
	if !first.MatchString("12") || first.MatchString("a") || first != second {
		t.Error("want one expression, compiled once")
	}
}

// TestOfLater proves that nothing is compiled before it is needed: this is no
// expression, and nobody uses it.
func TestOfLater(t *testing.T) {
	t.Parallel()
	wrong := pattern.Of(`(`)
	defer func() {
		if recover() == nil {
			t.Error("want a panic at the first use")
		}
	}()
	wrong()
}
