package console

import "strings"

// The colors of a terminal (ECMA-48, SGR).
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	blue   = "\x1b[34m"
	plain  = "\x1b[m"
)

// colors are those of the words that begin a line of a report.
var colors = []struct{ word, color string }{
	{"error ", red},
	{"warning ", yellow},
	{"info ", blue},
	{"failed", red},
	{"passed", green},
	{"more: error ", red},
	{"more: warning ", yellow},
	{"less: ", green},
}

// Colored returns a report for a terminal that shows colors: the words that begin a line have that of what they say, and of a
// change what goes is red and what comes is green. The text must be safe ([SafeLines]).
func Colored(text string) string {
	return EachLine(text, func(line string) string {
		for _, one := range colors {
			if rest, ok := strings.CutPrefix(line, one.word); ok {
				return one.color + one.word + plain + rest
			}
		}
		switch words := strings.TrimLeft(line, " "); {
		case len(words) == len(line):
		case strings.HasPrefix(words, "- "):
			return red + line + plain
		case strings.HasPrefix(words, "+ "):
			return green + line + plain
		}
		return line
	})
}
