package sanitize

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns JSON with the same values, and escapes the characters that [Escape]
// replaces. Encoders do not escape some of them: those that reverse the direction of text,
// and C1 controls. A "#" that begins a command of a CI system becomes \u0023. "::" needs no
// escape: a line of JSON begins with a bracket, a quote, a number or a word.
func JSON(data []byte) []byte {
	if bytes.IndexFunc(data, hiddenInJSON) < 0 && !bytes.Contains(data, []byte("#")) {
		return data
	}
	var out bytes.Buffer
	for len(data) > 0 {
		r, width := utf8.DecodeRune(data)
		switch {
		case r == '#' && isCommand(firstOf(data)):
			out.WriteString(`\u0023`)
		case !hiddenInJSON(r):
			out.Write(data[:width])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		data = data[width:]
	}
	return out.Bytes()
}

// firstOf returns the text up to the end of its line.
func firstOf(data []byte) string {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(line)
}

// hiddenInJSON reports whether to escape a character. It keeps the white space between
// values.
func hiddenInJSON(r rune) bool { return r != '\n' && r != utf8.RuneError && hidden(r) }
