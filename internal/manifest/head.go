package manifest

import (
	"strings"
)

// Head is a document whose lines show its API version and its kind, so that no reader takes it for another object.
type Head struct {
	// File is the name of the file, with slashes.
	File             string
	APIVersion, Kind string
	// Text is the text of the document.
	Text string
}

// head returns the head of a document; false if its lines do not show it. They do in a mapping whose keys begin
// lines and are plain, with one apiVersion and one kind in a line each, and no list of items.
func (d document) head(file string) (Head, bool) {
	out := Head{File: file, Text: d.text}
	ended := true // the value of apiVersion or kind, which might go on in the next line
	for row := range strings.Lines(d.text) {
		row = strings.TrimRight(row, " \t\r\n")
		switch {
		case row == "", row[0] == '#', row == "---" && out.APIVersion+out.Kind == "":
			continue
		case row[0] == ' ', row == "-", strings.HasPrefix(row, "- "):
			if !ended {
				return out, false
			}
			continue
		}
		key, value, ok := strings.Cut(row, ":")
		if ended = true; !ok || !isPlain(key) || key == "items" || value != "" && value[0] != ' ' {
			return out, false
		}
		of := map[string]*string{"apiVersion": &out.APIVersion, "kind": &out.Kind}[key]
		if of == nil {
			continue
		}
		value, _, _ = strings.Cut(value, " #")
		if value = strings.TrimSpace(value); !isPlain(value) || *of != "" || strings.EqualFold(value, "null") {
			return out, false
		}
		*of, ended = value, false
	}
	return out, out.APIVersion != "" && out.Kind != ""
}

// isPlain reports whether a text can be nothing but a word in YAML: ASCII letters, digits and what names of
// fields and API versions have, after a letter.
func isPlain(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !('0' <= c && c <= '9') && !strings.ContainsRune("./-_", rune(c))) {
			return false
		}
	}
	return text != ""
}
