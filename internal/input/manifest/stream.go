package manifest

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// stream is documents that are written one after the other.
type stream struct {
	pages

	encoder *yaml.Encoder // of the last document, if that was encoded
	last    *source       // of the last document, if that has one
}

// write writes an item: as it was read, with what was changed in it. One without a
// text, or whose text cannot be edited, is encoded. Each has an encoder of its own: an
// encoder keeps what it has written until it goes (go.yaml.in/yaml emitterc.go:
// yaml_emitter_emit).
func (s *stream) write(item *yaml.RNode, from *source) error {
	if from != nil {
		if text, err := from.edited(item); err == nil {
			s.writeSource(from, text)
			return nil
		}
	}
	if s.begun() {
		s.endLine()
		s.writeText("---\n")
	}
	s.last, s.encoder = nil, yaml.NewEncoder(&s.pages)
	return encode(s.encoder, item)
}

// writeSource writes a document that was read, with the text that it has now.
func (s *stream) writeSource(from *source, body string) {
	before, behind := from.text[from.begin:from.from], from.text[from.to:from.end]
	text := before + body + behind
	switch {
	case !s.begun() && from.begin == 0:
		if from.marked {
			s.writeText("\ufeff")
		}
	case !s.begun():
		text = withoutMarker(text)
	case s.last != nil && s.last.fileText == from.fileText && s.last.end == from.begin && isMarked(text):
		// It follows the other one in the file as well.
	default:
		s.endLine()
		text = strings.TrimPrefix(text, "...")
		switch first := firstOf(text); {
		case strings.HasPrefix(first, "%"):
			text = "...\n" + text
		case !isMarker(first, "---"):
			text = "---\n" + strings.TrimLeft(text, "\r\n")
		}
	}
	s.writeText(text)
	s.last, s.encoder = from, nil
}

// isMarked reports whether a text has a marker before its first content.
func isMarked(text string) bool { return isMarker(text, "...") || isMarker(firstOf(text), "---") }

// firstOf returns a text from its first line on that is no comment and not empty.
func firstOf(text string) string {
	for row := range strings.SplitAfterSeq(text, "\n") {
		if first := strings.TrimSpace(row); first != "" && first[0] != '#' {
			return text
		}
		text = text[len(row):]
	}
	return text
}

// withoutMarker returns a text without the marker before its first content: nothing
// is before it now.
func withoutMarker(text string) string {
	text = strings.TrimLeft(strings.TrimPrefix(text, "..."), "\r\n")
	if row, rest, _ := strings.Cut(text, "\n"); strings.TrimRight(row, "\r ") == "---" {
		return rest
	}
	return text
}

// close ends the last document. Of the others, the marker of the next is the end.
func (s *stream) close() error {
	if s.encoder == nil {
		return nil
	}
	if err := s.encoder.Close(); err != nil {
		return fmt.Errorf("encode the manifests: %w", err)
	}
	return nil
}

func (s *stream) begun() bool { return len(s.pages) > 0 }

// endLine ends the last line, if it has no end.
func (s *stream) endLine() {
	if last := s.pages[len(s.pages)-1]; last[len(last)-1] != '\n' {
		s.writeText("\n")
	}
}

func (s *stream) writeText(text string) {
	_, _ = s.pages.Write([]byte(text)) // there is no error
}
