package finding

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown returns a text from a manifest, a file name or a server's answer in a form that
// is safe in a line of output. It escapes line ends, escape sequences and characters
// that reverse the direction of text, as Go quotes them. It quotes a text that begins
// like a workflow command of GitHub or Azure.
func Shown(text string) string {
	if isCommand(text) {
		text = `"` + text + `"`
	}
	if utf8.ValidString(text) && strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, width := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && width == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case hidden(r):
			quoted := fmt.Sprintf("%+q", string(r))
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		i += width
	}
	return b.String()
}

// ShownLines does the same as [Shown] for the message of an error, which may have
// several lines.
func ShownLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Shown(line)
	}
	return strings.Join(lines, "\n")
}

func hidden(r rune) bool { return !unicode.IsPrint(r) && r != '\u00a0' && r != '\t' }

// isCommand reports whether a CI system that reads the output would take the line for a
// command (actions/runner ActionCommand.cs: TryParseV2, which trims the line).
func isCommand(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "::") || strings.HasPrefix(line, "##[") || strings.HasPrefix(line, "##vso[")
}
