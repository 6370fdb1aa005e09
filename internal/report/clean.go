package report

import (
	"strings"
	"unicode"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// clean converts text from a manifest to one line: the text must not break the lines of
// a report, control a terminal, or show a credential.
func clean(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	return finding.Shown(finding.Redact(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)))
}

// cleaned converts each row to one line.
func cleaned(rows []string) []string {
	out := make([]string, 0, len(rows))
	for _, row := range rows {
		out = append(out, clean(row))
	}
	return out
}
