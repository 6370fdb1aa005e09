package english

import (
	"fmt"
	"regexp"
	"strings"
)

// text is something that people read, with its place.
type text struct {
	file string
	line int
	s    string
}

// names are words of the operators, of Kubernetes and of our own interface that
// a rule would catch. They are removed before the rules apply.
var names = regexp.MustCompile(`goldenarch\.dev/claim|is no (longer|more|less|larger|newer)|PersistentVolumeClaims?|(?i:volume ` +
	`claims?)|(?i:storage claims?)|\[[A-Z][A-Za-z.]*\]|question mark|byte order mark`)

// broken returns what is wrong with a text, one line each.
func broken(t text) []string {
	s := names.ReplaceAllString(t.s, " ")
	var out []string
	for _, r := range compiled {
		if found := r.FindString(s); found != "" {
			out = append(out, fmt.Sprintf("%s:%d: %q: use %s\n\t%s", t.file, t.line, found, r.instead, short(t.s)))
		}
	}
	return out
}

func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 160 {
		s = s[:160] + "..."
	}
	return s
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?:;]["')]*(\s+|$)|\n\s*\n`)
	abbreviated = strings.NewReplacer("e.g.", "eg", "i.e.", "ie", "etc.", "etc", "...", "…")
)

// longest returns the number of words of the longest sentence, and the sentence.
// A colon and a semicolon end one: what follows can be read by itself.
func longest(s string) (int, string) {
	most, which := 0, ""
	for _, sentence := range sentenceEnd.Split(abbreviated.Replace(s), -1) {
		if n := len(words(sentence)); n > most {
			most, which = n, sentence
		}
	}
	return most, which
}

func words(sentence string) []string {
	return strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(" \t\n,()/|", r) })
}
