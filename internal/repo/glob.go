package repo

import (
	"regexp"
	"strings"
)

// globMatches reports whether a path matches a pattern of an Application. {a,b} has
// alternatives, and * crosses directories (argo-cd util/glob/glob.go).
func globMatches(glob, name string) bool {
	var out strings.Builder
	out.WriteString("^")
	open := 0
	for _, c := range glob {
		switch {
		case c == '*':
			out.WriteString(".*")
		case c == '?':
			out.WriteString(".")
		case c == '{':
			open++
			out.WriteString("(?:")
		case c == '}' && open > 0:
			open--
			out.WriteString(")")
		case c == ',' && open > 0:
			out.WriteString("|")
		default:
			out.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	out.WriteString(strings.Repeat(")", open) + "$")
	pattern, err := regexp.Compile(out.String())
	return err == nil && pattern.MatchString(name)
}
