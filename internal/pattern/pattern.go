package pattern

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

// Of returns a function that returns the compiled expression. An invalid expression panics
// at its first use, as regexp.MustCompile does.
func Of(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// OfKind returns a function that reports whether a text, which is YAML, or a template of YAML, or
// JSON, has the kind of an object: as the field of a line or in flow style, also with an anchor,
// with a tag, before a comment, or with its value in the next line. kinds is an expression for the
// kind, and each kind has one of the words. Only lines with a word are matched, with the line before:
// manifests have megabytes, and few of them.
func OfKind(kinds string, words ...string) func(text []byte) bool {
	expression := Of(`(?m)(?:^[ \t-]*|[{,][ \t]*)["']?kind["']?[ \t]*:[ \t]*(?:[&!]\S*[ \t]+)*` +
		`(?:(?:[|>][+-]?)?[ \t]*\r?\n[ \t]+)?["']?(?:` + kinds + `)["']?[ \t]*(?:[,}\r]|[ \t]#|$)`)
	return func(text []byte) bool {
		return slices.ContainsFunc(words, func(word string) bool { return hasLine(text, []byte(word), expression) })
	}
}

// hasLine reports whether a line of a text that has a word, with the line before, matches an expression.
func hasLine(text, word []byte, expression func() *regexp.Regexp) bool {
	for {
		at := bytes.Index(text, word)
		if at < 0 {
			return false
		}
		start := bytes.LastIndexByte(text[:at], '\n') + 1
		line, rest := text[bytes.LastIndexByte(text[:max(start-1, 0)], '\n')+1:], []byte(nil)
		if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
			line, rest = line[:len(line)-len(text)+at+end], text[at+end+1:]
		}
		if expression().Match(line) {
			return true
		}
		text = rest
	}
}
