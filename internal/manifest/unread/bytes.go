package unread

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// group and kind are those of a HyperConverged CR, and templatesField is its list of templates.
const (
	group          = "hco.kubevirt.io"
	kind           = "HyperConverged"
	templatesField = "dataImportCronTemplates"
)

// words are what a text has of which one holds a CR or its templates: a variable may be in the place
// of the kind, or of the group.
var words = []string{kind, templatesField, group + "/"}

// encodedWords returns what a text in base64 has that holds a word. A word begins at any of the three
// bytes that four characters encode.
var encodedWords = sync.OnceValue(func() []string {
	var out []string
	for _, word := range []string{kind, templatesField} {
		for shift := range 3 {
			const bits, ofCharacter = 8, 6
			text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + word + "\x00\x00"))
			from := (bits*shift + ofCharacter - 1) / ofCharacter
			out = append(out, text[from:bits*(shift+len(word))/ofCharacter])
		}
	}
	return out
})

// MayHold reports whether a text may hold a HyperConverged CR, or its templates: as they are, in
// UTF-16, with escapes, or in base64.
func MayHold(data []byte) bool {
	if containsAny(data, words) || containsAny(data, encodedWords()) {
		return true
	}
	if plain := Plain(data); len(plain) != len(data) && containsAny(plain, words) {
		return true
	}
	// The base64 of a Secret may have line breaks anywhere.
	return bytes.Contains(data, []byte("Secret")) && containsAny(bytes.Join(bytes.Fields(data), nil), encodedWords())
}

// escape matches an escape of YAML or JSON for a letter, and one for the end of a line.
var escape = pattern.Of(`\\x[4-7][0-9a-fA-F]|\\u00[4-7][0-9a-fA-F]|\\U000000[4-7][0-9a-fA-F]|\\\r?\n[ \t]*`)

// Plain returns a text with its letters as they are: without the zeros of UTF-16 and UTF-32, and
// without escapes.
func Plain(data []byte) []byte {
	if bytes.IndexByte(data, 0) >= 0 {
		data = bytes.TrimLeft(bytes.ReplaceAll(data, []byte{0}, nil), "\xfe\xff") // the mark of the byte order
	}
	if !containsAny(data, []string{`\x`, `\u`, `\U`, "\\\n", "\\\r\n"}) {
		return data
	}
	return escape().ReplaceAllFunc(data, func(found []byte) []byte {
		const digits = 2
		code, err := strconv.ParseUint(string(found[len(found)-digits:]), 16, 8)
		if err != nil {
			return nil // the end of a line
		}
		return []byte{byte(code)}
	})
}

func containsAny(data []byte, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(data, []byte(word)) })
}

// decoded returns the text of a value in base64, "" if it is none.
func decoded(value string) string {
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(value), ""))
	if err != nil {
		return ""
	}
	return string(text)
}
