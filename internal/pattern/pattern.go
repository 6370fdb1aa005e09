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

// OfKind returns an expression for the kind of an object in a text that is YAML, or a template of
// YAML, or JSON: as the field of a line or in flow style, also with an anchor, with a tag, or
// before a comment. kinds is an expression for the kind.
func OfKind(kinds string) func() *regexp.Regexp {
	return Of(`(?m)(?:^[ \t-]*|[{,][ \t]*)["']?kind["']?[ \t]*:[ \t]*(?:[&!]\S*[ \t]+)*["']?(?:` + kinds + `)["']?[ \t]*(?:[,}\r]|[ \t]#|$)`)
}
