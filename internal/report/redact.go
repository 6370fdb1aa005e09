package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/pattern"
)

// literal matches a string in a JSON text, and extraHeaders the list of the headers of an http source.
var (
	literal      = pattern.Of(`"(?:[^"\\]|\\.)*"`)
	extraHeaders = pattern.Of(`"extraHeaders"\s*:\s*\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*`)
)

// redactJSON hides credentials in the strings of a JSON text. It also hides the headers
// of an http source, whose purpose is credentials. All other text keeps its place and form.
func redactJSON(text []byte) []byte {
	text = extraHeaders().ReplaceAllFunc(text, func(list []byte) []byte {
		key, headers, _ := bytes.Cut(list, []byte("["))
		return slices.Concat(key, []byte("["), redactStrings(headers, func(header string) string {
			if name, _, ok := strings.Cut(header, ":"); ok {
				return name + ": xxxxx"
			}
			return "xxxxx"
		}))
	})
	return redactStrings(text, console.Redact)
}

// redactStrings changes the strings of a JSON text.
func redactStrings(text []byte, change func(string) string) []byte {
	return literal().ReplaceAllFunc(text, func(found []byte) []byte {
		var s string
		if json.Unmarshal(found, &s) != nil || change(s) == s {
			return found
		}
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(change(s)); err != nil { // a string always encodes
			return []byte(`""`)
		}
		return bytes.TrimSpace(out.Bytes())
	})
}
