package report

import "github.com/goldenarch/goldenarch/internal/sanitize"

// cleaned converts each row to one line.
func cleaned(rows []string) []string {
	out := make([]string, 0, len(rows))
	for _, row := range rows {
		out = append(out, sanitize.Line(row))
	}
	return out
}
