package pattern

import (
	"regexp"
	"sync"
)

// Of returns a function that returns the compiled expression. An invalid expression panics
// at its first use, as regexp.MustCompile does.
func Of(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
