package console

import (
	"strings"
	"unicode/utf8"
)

// DefaultWidth is the width in characters of what is not shown on a terminal.
const DefaultWidth = 100

// indent begins the lines on which a text goes on.
const indent = "    "

// Wrap breaks the lines of a text at blanks, so that they fit a width in characters. A word
// that is longer, such as a path, stays whole. A width of 0 breaks nothing.
func Wrap(text string, width int) string {
	if width <= 0 {
		return text
	}
	return EachLine(text, func(line string) string { return wrapLine(line, width) })
}

// EachLine changes each line of a text, which change gets without its end.
func EachLine(text string, change func(line string) string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, hasEnd := strings.CutSuffix(line, "\n")
		b.WriteString(change(line))
		if hasEnd {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func wrapLine(line string, width int) string {
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	var b strings.Builder
	words := strings.TrimLeft(line, " ")
	margin := line[:len(line)-len(words)]
	b.WriteString(margin)
	used, begins := len(margin), true
	for word := range strings.SplitSeq(words, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case begins:
		case used+1+n <= width:
			b.WriteByte(' ')
			used++
		default:
			b.WriteString("\n" + margin + indent)
			used = len(margin) + len(indent)
		}
		b.WriteString(word)
		used, begins = used+n, false
	}
	return b.String()
}
