package finding

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// ShownJSON returns JSON with the same values, and escapes the characters that [Shown]
// replaces. Encoders do not escape some of them: those that reverse the direction of
// text, and C1 controls.
func ShownJSON(data []byte) []byte {
	if bytes.IndexFunc(data, hiddenInJSON) < 0 {
		return data
	}
	var out bytes.Buffer
	for len(data) > 0 {
		r, width := utf8.DecodeRune(data)
		switch {
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

// hiddenInJSON reports whether to escape a character. It keeps the white space between
// values.
func hiddenInJSON(r rune) bool { return r != '\n' && r != utf8.RuneError && hidden(r) }
