package report

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
)

// redactJSON hides credentials in the strings of a JSON text. It also hides the headers
// of an http source (extraHeaders), whose purpose is credentials. All other text keeps
// its place and form.
func redactJSON(text []byte) []byte {
	var out bytes.Buffer
	headers := false
	for {
		begin := bytes.IndexByte(text, '"')
		if begin < 0 {
			out.Write(text)
			return out.Bytes()
		}
		if bytes.IndexByte(text[:begin], ']') >= 0 {
			headers = false
		}
		out.Write(text[:begin])
		literal := literalOf(text[begin:])
		text = text[begin+len(literal):]
		out.Write(redactLiteral(literal, headers))
		if string(literal) == `"extraHeaders"` {
			value, isKey := bytes.CutPrefix(bytes.TrimSpace(text), []byte(":"))
			headers = isKey && bytes.HasPrefix(bytes.TrimSpace(value), []byte("["))
		}
	}
}

// literalOf returns the JSON string at the beginning of a text.
func literalOf(text []byte) []byte {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return text[:i+1]
		}
	}
	return text
}

func redactLiteral(literal []byte, header bool) []byte {
	var s string
	if json.Unmarshal(literal, &s) != nil {
		return literal
	}
	shown := console.Redact(s)
	if name, _, ok := strings.Cut(s, ":"); header && ok {
		shown = name + ": xxxxx"
	} else if header {
		shown = "xxxxx"
	}
	if shown == s {
		return literal
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(shown); err != nil { // a string always encodes
		return []byte(`""`)
	}
	return bytes.TrimSpace(out.Bytes())
}

// cleaned converts each row to one line.
func cleaned(rows []string) []string {
	out := make([]string, 0, len(rows))
	for _, row := range rows {
		out = append(out, console.SafeLine(row))
	}
	return out
}
