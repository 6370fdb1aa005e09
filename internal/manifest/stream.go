package manifest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Write writes the items as YAML documents, without the annotations of hosts. In place of an item that represents
// documents, it writes the documents. If it knows the text of an item, the unchanged parts keep their bytes;
// of any other, the values are the same, but their form may differ. After an error of an item it has written nothing.
func (t Texts) Write(w io.Writer, items []*yaml.RNode) error {
	bodies, err := t.bodies(items)
	if err != nil {
		return err
	}
	out := stream{to: bufio.NewWriter(w)}
	for i, item := range items {
		from := t.sources[item]
		switch {
		case t.of[item] != nil:
			err = out.writeRuns(t.of[item])
		case from != nil && from.crPart != nil && t.partsIn(items, from)[0] != item: // the first item has written the document
		case bodies[i].encoded:
			out.write(bodies[i].text)
		default:
			out.writeSource(from, bodies[i].text)
		}
		if err != nil {
			return err
		}
	}
	if err := out.to.Flush(); err != nil {
		return fmt.Errorf("write the manifests: %w", err)
	}
	return nil
}

// body is the text of an item after its changes.
type body struct {
	text    string
	encoded bool // it is not the text of a file
}

// bodies returns the texts of items. It encodes an item without a text, or whose text cannot be edited. That
// reads the items of its own document only, so all processors share the work. An item that is a part of a document
// has no other form, so it is an error if its text cannot be edited.
func (t Texts) bodies(items []*yaml.RNode) ([]body, error) {
	return parallel.Map(len(items), func(i int) (body, error) {
		from, before := t.sources[items[i]], ""
		if t.of[items[i]] != nil {
			return body{}, nil
		}
		if from != nil {
			text, _, err := t.textOf(items, items[i])
			switch {
			case err != nil && from.crPart != nil:
				return body{}, from.failed(items[i], err)
			case err == nil && (from.crPart != nil || !isOnlyJSON(text)):
				return body{text: text}, nil
			}
			before = from.body()
		}
		text, err := encode(items[i], before)
		return body{text, true}, err
	})
}

// encode returns the text of an item, with the indentation of the lists of another text.
func encode(item *yaml.RNode, like string) (string, error) {
	if err := yamlnode.ParseListAsText(item.YNode()); err != nil {
		return "", fmt.Errorf("encode the manifests: %w", err)
	}
	withoutHostAnnotations(item.YNode())
	yamlnode.Safe(item.Document())
	var out strings.Builder
	encoder := yaml.NewEncoder(&out)
	if yaml.DeriveSeqIndentStyle(like) == string(yaml.WideSequenceStyle) {
		encoder.DefaultSeqIndent()
	} else {
		encoder.CompactSeqIndent()
	}
	if err := errors.Join(encoder.Encode(item.Document()), encoder.Close()); err != nil {
		return "", fmt.Errorf("encode the manifests: %w", err)
	}
	return out.String(), nil
}

// hostAnnotations are the annotations that say to a host where a new item goes.
var hostAnnotations = []string{
	kioutil.PathAnnotation, kioutil.IndexAnnotation,
	kioutil.LegacyPathAnnotation, kioutil.LegacyIndexAnnotation, //nolint:staticcheck // older hosts expect them
}

// withoutHostAnnotations removes the annotations of hosts from an object, and what they alone have filled.
func withoutHostAnnotations(n *yaml.Node) {
	metadata := yamlnode.Value(n, yaml.MetadataField)
	annotations := yamlnode.Value(metadata, "annotations")
	if annotations == nil || len(annotations.Content) == 0 {
		return
	}
	for _, key := range hostAnnotations {
		yamlnode.Remove(annotations, key)
	}
	if len(annotations.Content) == 0 {
		yamlnode.Remove(metadata, "annotations")
	}
	if len(metadata.Content) == 0 {
		yamlnode.Remove(n, yaml.MetadataField)
	}
}

// stream is a sequence of documents to write. It keeps none of them, because their texts may be large.
type stream struct {
	to *bufio.Writer // which keeps the first error

	last  *origin // of the last document, if its text is known
	ended byte    // the last byte, or 0 if there is none
}

// writeRuns writes the documents of runs as they are.
func (s *stream) writeRuns(runs []*run) error {
	for _, r := range runs {
		for i := range r.docs {
			from := r.source(i)
			if !isOnlyJSON(from.body()) {
				s.writeSource(from, from.body())
				continue
			}
			node, err := r.read(i)
			if err != nil {
				return err
			}
			text, err := encode(node, "")
			if err != nil {
				return err
			}
			s.write(text)
		}
	}
	return nil
}

// write writes a document that is no text of a file.
func (s *stream) write(text string) {
	if s.ended != 0 {
		s.endLine()
		s.writeText("---\n")
	}
	s.writeText(text)
	s.last = nil
}

// writeSource writes a document from a file, with its current text.
func (s *stream) writeSource(from *origin, body string) {
	before, behind := from.text[from.begin:from.from], from.text[from.to:from.end]
	text := before + body + behind
	switch {
	case s.ended == 0 && from.begin == 0:
		if from.marked {
			s.writeText("\ufeff")
		}
	case s.ended == 0:
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
	s.last = from
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

// endLine adds a line break if the last line has none.
func (s *stream) endLine() {
	if s.ended != '\n' {
		s.writeText("\n")
	}
}

func (s *stream) writeText(text string) {
	if text != "" {
		_, _ = s.to.WriteString(text) // Flush returns the error
		s.ended = text[len(text)-1]
	}
}
