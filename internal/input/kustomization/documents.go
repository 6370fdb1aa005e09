package kustomization

import "strings"

// separator is between the documents that documentsOf returns.
const separator = "---\n"

// documentsOf returns the documents of a text as kustomize divides it (kyaml
// kio/byteio_reader.go: splitDocuments, Read), each but the last with its last line end. It returns
// false for a text of another form than that of most: a line of "%" or "..." is about the whole text,
// and YAML has more line ends than kustomize divides at.
func documentsOf(text string) ([]string, bool) {
	for _, unusual := range []string{"\r", "\x00", "\ufeff", "\u0085", "\u2028", "\u2029", "\n%", "\n..."} {
		if strings.Contains(text, unusual) {
			return nil, false
		}
	}
	if strings.HasPrefix(text, "%") || strings.HasPrefix(text, "...") {
		return nil, false
	}
	var out []string
	add := func(part string) {
		if !isBlank(part) {
			out = append(out, part)
		}
	}
	for rest := text; ; {
		at := strings.Index(rest, "\n---")
		if at < 0 {
			add(rest)
			return out, true
		}
		line, after, found := strings.Cut(rest[at+1:], "\n")
		if !found { // kustomize wants a line after it
			add(rest)
			return out, true
		}
		if note := strings.TrimSpace(line[len("---"):]); note != "" && note[0] != '#' {
			return nil, false
		}
		add(rest[:at+1])
		rest = after
	}
}

// isBlank reports whether a text has no object: only blanks, comments and markers.
func isBlank(text string) bool {
	for line := range strings.Lines(text) {
		content := strings.Trim(strings.TrimPrefix(line, "---"), " \n")
		if content != "" && !strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
			return false
		}
	}
	return true
}
