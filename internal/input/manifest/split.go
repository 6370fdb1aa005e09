package manifest

import (
	"encoding/json"
	"strings"
)

// document is a part of a file, with the number of lines before it.
type document struct {
	text string
	line int
	// from and to are where the document is in the file. Its text may begin before from,
	// with comments.
	from, to int
}

// split cuts a file before each line that begins with "---": otherwise comments before a
// document would belong to the document before. It also cuts before each line that begins
// with "...", because the reader stops there.
func split(text string) []document {
	docs := make([]document, 0, strings.Count(text, "\n---")+1) // growing takes as much memory as the file
	start, startLine := 0, 0
	before := -1 // where the previous document begins, if "..." ended it
	cut := func(at int) {
		last := len(docs) - 1
		switch blank := !hasContent(text[start:at]); {
		case blank && before >= 0 && at < len(text) && isMarker(text[at:], "..."): // "..." again
			return
		case blank && before >= 0 && at == len(text) && hasContent(docs[last].text):
			docs[last].text, docs[last].to = text[before:], at // its own comments
			return
		}
		docs, before = append(docs, document{text[start:at], startLine, start, at}), start
	}
	offset, line := 0, 0
	for row := range strings.SplitAfterSeq(text, "\n") {
		switch {
		case isMarker(row, "---") && offset > 0:
			cut(offset)
			start, startLine, before = offset, line, -1
		case isMarker(row, "..."):
			cut(offset)
			start, startLine = offset+len("..."), line
		}
		offset += len(row)
		line++
	}
	cut(len(text))
	return keepComments(docs)
}

// keepComments moves a document that has only comments and directives into the document
// after it. Otherwise the comments would be lost.
func keepComments(docs []document) []document {
	out := docs[:0] // never longer than the part of docs already read
	for i, doc := range docs {
		if i+1 == len(docs) || hasContent(doc.text) || !strings.ContainsAny(doc.text, "#%") {
			out = append(out, doc)
			continue
		}
		above, next := withoutVersion(doc.text), &docs[i+1]
		if rest, ok := strings.CutPrefix(next.text, "---"); ok && !hasDirective(above) && opens(rest) {
			next.text = rest
		}
		next.text, next.line = strings.TrimPrefix(above, "---")+next.text, doc.line
		if hasDirective(doc.text) {
			next.from = doc.from // the document may need the directives
		}
	}
	return out
}

// hasContent reports whether a text has more than comments and directives.
func hasContent(text string) bool {
	for row := range strings.Lines(strings.TrimPrefix(text, "---")) {
		if first := strings.TrimSpace(row); first != "" && first[0] != '#' && row[0] != '%' {
			return true
		}
	}
	return false
}

func hasDirective(text string) bool {
	return strings.HasPrefix(text, "%") || strings.Contains(text, "\n%")
}

// withoutVersion empties the lines of %YAML directives: the reader refuses 1.2, and reads
// every version the same way.
func withoutVersion(text string) string {
	var out strings.Builder
	for row := range strings.Lines(text) {
		if strings.HasPrefix(row, "%YAML") {
			row = "\n"
		}
		out.WriteString(row)
	}
	return out.String()
}

// opens reports whether nothing but a comment follows a marker in its line.
func opens(rest string) bool {
	row, _, _ := strings.Cut(rest, "\n")
	row = strings.TrimSpace(row)
	return row == "" || row[0] == '#'
}

// isMarker reports whether a line begins with a YAML marker.
func isMarker(row, marker string) bool {
	rest, ok := strings.CutPrefix(row, marker)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n"))
}

// cutJSON cuts a document of consecutive JSON objects, as kubectl and jq write and read
// them. It reports false for any other document.
func (d document) cutJSON() ([]document, bool) {
	var out []document
	text := strings.TrimPrefix(d.text, "---")
	decoder := json.NewDecoder(strings.NewReader(text))
	for at := 0; strings.TrimSpace(text[at:]) != ""; {
		var object map[string]json.RawMessage
		if err := decoder.Decode(&object); err != nil {
			return nil, false
		}
		end := int(decoder.InputOffset())
		from := d.to - len(text)
		out = append(out, document{text[at:end], d.line + strings.Count(text[:at], "\n"), from + at, from + end})
		at = end
	}
	return out, len(out) > 1
}
