package manifest

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// stream is a sequence of documents to write.
type stream struct {
	pages

	encoder *yaml.Encoder // of the last document, if stream encoded it
	last    *origin       // of the last document, if its text is known
}

// write writes an item: the text as read, with the changes. It encodes an item without a
// text, or whose text it cannot edit. It uses a new encoder for each item, because an
// encoder keeps its output in memory (go.yaml.in/yaml emitterc.go: yaml_emitter_emit).
func (s *stream) write(item *yaml.RNode, edited edit) error {
	if edited.origin != nil {
		s.writeSource(edited.origin, edited.text)
		return nil
	}
	if s.begun() {
		s.endLine()
		s.writeText("---\n")
	}
	s.last, s.encoder = nil, yaml.NewEncoder(&s.pages)
	return encode(s.encoder, item)
}

// writeSource writes a document from a file, with its current text.
func (s *stream) writeSource(from *origin, body string) {
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
		// The document also follows the previous one in the file.
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

// firstOf returns the rest of a text from the first line that is not empty or a comment.
func firstOf(text string) string {
	for row := range strings.SplitAfterSeq(text, "\n") {
		if first := strings.TrimSpace(row); first != "" && first[0] != '#' {
			return text
		}
		text = text[len(row):]
	}
	return text
}

// withoutMarker returns a text without the marker before its first content, for a text
// that now comes first.
func withoutMarker(text string) string {
	text = strings.TrimLeft(strings.TrimPrefix(text, "..."), "\r\n")
	if row, rest, _ := strings.Cut(text, "\n"); strings.TrimRight(row, "\r ") == "---" {
		return rest
	}
	return text
}

// close ends the last document. The marker of the next document ends each of the others.
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

// endLine adds a line break if the last line has none.
func (s *stream) endLine() {
	if last := s.pages[len(s.pages)-1]; last[len(last)-1] != '\n' {
		s.writeText("\n")
	}
}

func (s *stream) writeText(text string) {
	_, _ = s.pages.Write([]byte(text)) // Write never returns an error
}
