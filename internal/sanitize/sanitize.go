package sanitize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a text as a part of one line: its words with single blanks between them,
// without credentials, and escaped as [Escape] does.
func Line(text string) string {
	return Escape(Redact(strings.Join(strings.Fields(text), " ")))
}

// Lines does the same for a text of several lines, such as the message of an error. It
// keeps the lines and the blanks in them.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Escape(Redact(line))
	}
	return strings.Join(lines, "\n")
}

// Escape returns a text from a manifest, a file name or a server's answer in a form that
// is safe in a line of output. It escapes line ends, escape sequences and characters that
// reverse the direction of text, as Go quotes them. It also escapes the first character of
// a command of a CI system: "\x23#[group]", "\x3a:error::". Text that is escaped already
// stays as it is.
func Escape(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	start := commandAtStart(text)
	for i := 0; i < len(text); {
		r, width := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && width == 1, i == start, r == '#' && isCommand(text[i:]):
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

// isPlain reports whether a text is safe as it is: most are.
func isPlain(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, hidden) < 0 && !strings.Contains(text, "#") &&
		commandAtStart(text) < 0
}

func hidden(r rune) bool { return !unicode.IsPrint(r) && r != '\u00a0' && r != '\t' }

// isCommand reports whether a text that begins with "#" begins with a command of Azure
// Pipelines ("##vso[", "##[group]"), of GitHub's first syntax ("##[") or of TeamCity
// ("##teamcity["). Azure's agent and GitHub's runner search the whole line for it
// (azure-pipelines-agent Command.cs: TryParse, actions/runner ActionCommand.cs: TryParse).
func isCommand(text string) bool {
	rest := strings.TrimLeftFunc(text[1:], ignorable)
	if !strings.HasPrefix(rest, "#") {
		return false
	}
	rest = strings.TrimLeftFunc(rest[1:], func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || ignorable(r)
	})
	return strings.HasPrefix(rest, "[")
}

// commandAtStart returns the place of the first colon of "::" if a text begins with it, or
// -1. GitHub's runner trims the line (actions/runner ActionCommand.cs: TryParseV2).
func commandAtStart(text string) int {
	rest := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || ignorable(r) })
	if !strings.HasPrefix(rest, ":") || !strings.HasPrefix(strings.TrimLeftFunc(rest[1:], ignorable), ":") {
		return -1
	}
	return len(text) - len(rest)
}

// ignorable reports whether a comparison of texts in .NET ignores a character: the runners
// compare with the rules of the language, where variation selectors and fillers count for
// nothing (Unicode: Default_Ignorable_Code_Point).
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r)
}
