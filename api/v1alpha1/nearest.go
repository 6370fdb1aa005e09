package v1alpha1

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/near"
)

// oneOf returns the text for a word that is not one of the expected ones. It suggests
// the nearest one.
func oneOf(what, got string, expected []string) string {
	return fmt.Sprintf("unknown %s %q: expected one of %s%s", what, got, strings.Join(expected, ", "), near.DidYouMean(got, expected))
}
