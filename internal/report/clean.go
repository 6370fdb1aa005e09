package report

import (
	"strings"
	"unicode"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// clean makes one line of a text that comes out of a manifest: it must not break
// the lines of a report, steer a terminal, or show a credential.
func clean(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	return finding.Shown(finding.Redact(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)))
}

// cleaned makes one line of each.
func cleaned(rows []string) []string {
	out := make([]string, 0, len(rows))
	for _, row := range rows {
		out = append(out, clean(row))
	}
	return out
}
