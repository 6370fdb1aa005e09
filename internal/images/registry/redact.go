package registry

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// secretPatterns match possible secrets: the user of a URL, the query of a URL, the
// word after Bearer and Basic, and JSON web tokens. They are compiled on first use.
var secretPatterns = sync.OnceValue(func() []replacement {
	return []replacement{
		{regexp.MustCompile(`//[^/@\s"']+@`), "//xxxxx@"},
		{regexp.MustCompile(`(://[^\s?"']*)\?[^\s"'>]*`), "$1?xxxxx"},
		{regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`), "$1 xxxxx"},
		{regexp.MustCompile(`\beyJ[A-Za-z0-9._=-]{10,}`), "xxxxx"},
		{regexp.MustCompile(`(?i)\b((?:access_|refresh_|identity_?)?token|password|secret|signature|authorization)(["']?\s*[=:]\s*["']?)[^\s"'&,;]+`), "$1${2}xxxxx"},
	}
})

type replacement struct {
	pattern *regexp.Regexp
	with    string
}

// redact removes possible secrets from the text of a server.
func redact(s string) string {
	for _, r := range secretPatterns() {
		s = r.pattern.ReplaceAllString(s, r.with)
	}
	return s
}

// shownWords is how many characters of a server's text an error shows, if the server
// may not be the registry that the user chose.
const shownWords = 75

// cut shortens a server's text to one line of at most n characters.
func cut(s string, n int) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "..."
	}
	return s
}
