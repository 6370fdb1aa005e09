package lock

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// part is the position of a document in a text.
type part struct{ from, to int }

// documents cuts a text at the lines that begin with "---" or "...". A "..." line ends a
// document.
func documents(text string) []part {
	var out []part
	start, at := 0, 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		switch {
		case isMarker(line, "---") && at > 0:
			out = append(out, part{start, at})
			start = at
		case isMarker(line, "..."):
			out = append(out, part{start, at})
			start = at + len(line)
		}
		at += len(line)
	}
	return append(out, part{start, at})
}

func isMarker(line, marker string) bool {
	rest, ok := strings.CutPrefix(plain(line), marker)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\n"))
}

// objects returns the objects of a document. Only JSON can have several, because it needs
// no separator between them. A document with only YAML directives has no object.
func objects(document string) []string {
	if out, isJSON := values(document); isJSON {
		return out
	}
	for line := range strings.Lines(document) {
		if !isComment(line) && !strings.HasPrefix(line, "%") {
			return []string{document}
		}
	}
	return nil
}

// values returns the values of a document that is JSON.
func values(document string) (out []string, isJSON bool) {
	decoder := json.NewDecoder(strings.NewReader(strings.TrimPrefix(document, "---\n")))
	for {
		var value json.RawMessage
		switch err := decoder.Decode(&value); {
		case errors.Is(err, io.EOF):
			return out, len(out) > 0
		case err != nil:
			return nil, false
		}
		out = append(out, string(value))
	}
}

// plain returns a text with line feeds only, as the YAML reader sees it.
func plain(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// ended returns a text with its line feeds replaced by other line ends.
func ended(text, end string) string { return strings.ReplaceAll(text, "\n", end) }

// lineEnd returns the most frequent line end of a document.
func lineEnd(document string) string {
	if windows := strings.Count(document, "\r\n"); 2*windows > strings.Count(document, "\n") {
		return "\r\n"
	}
	return "\n"
}
