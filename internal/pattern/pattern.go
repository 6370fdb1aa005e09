package pattern

import (
	"regexp"
	"sync"
)

// Of returns what returns the compiled expression. One that is none panics at its
// first use, as regexp.MustCompile does.
func Of(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
