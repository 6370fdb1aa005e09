package manifest

import (
	"bytes"
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
// of any other, the values are the same, but their form may differ. It writes everything at once, so
// after an error it has written nothing.
func (t Texts) Write(w io.Writer, items []*yaml.RNode) error {
	var out stream
	edits, err := t.edits(items)
	if err != nil {
		return err
	}
	for i, item := range items {
		from := t.sources[item]
		if from != nil && from.crPart != nil && t.partsIn(items, from)[0] != item {
			continue // the first item has written the document
		}
		if runs := t.of[item]; runs != nil {
			if err := out.writeRuns(runs); err != nil {
				return err
			}
			continue
		}
		if edits[i] != nil {
			out.writeSource(from, *edits[i])
			continue
		}
		before := ""
		if from != nil {
			before = from.body()
		}
		if err := out.write(item, before); err != nil {
			return err
		}
	}
	if _, err := out.WriteTo(w); err != nil {
		return fmt.Errorf("write the manifests: %w", err)
	}
	return nil
}

// edits returns the texts of items after their changes; nil for an item without a text, or whose text cannot be
// edited. An edit parses and encodes, and it reads the items of its own document only, so all processors share the
// work. An item that is a part of a document has no other form, so it is an error if its text cannot be edited.
func (t Texts) edits(items []*yaml.RNode) ([]*string, error) {
	out := make([]*string, len(items))
	failed := make([]error, len(items))
	parallel.Each(len(items), func(i int) {
		from := t.sources[items[i]]
		if from == nil || t.of[items[i]] != nil {
			return
		}
		text, _, err := t.textOf(items, items[i])
		switch {
		case err != nil && from.crPart != nil:
			failed[i] = from.failed(items[i], err)
		case err == nil && (from.crPart != nil || !isOnlyJSON(text)):
			out[i] = &text
		}
	})
	return out, errors.Join(failed...)
}

// stream is a sequence of documents to write.
type stream struct {
	bytes.Buffer

	last *origin // of the last document, if its text is known
}

// write encodes an item that has no text, or whose text it cannot edit. It uses a new encoder for each item, because
// an encoder keeps its output in memory (go.yaml.in/yaml emitterc.go: yaml_emitter_emit).
func (s *stream) write(item *yaml.RNode, before string) error {
	if s.Len() > 0 {
		s.endLine()
		s.WriteString("---\n")
	}
	s.last = nil
	encoder := yaml.NewEncoder(s)
	if yaml.DeriveSeqIndentStyle(before) == string(yaml.WideSequenceStyle) {
		encoder.DefaultSeqIndent()
	} else {
		encoder.CompactSeqIndent()
	}
	if err := yamlnode.ParseListAsText(item.YNode()); err != nil {
		return fmt.Errorf("encode the manifests: %w", err)
	}
	withoutHostAnnotations(item.YNode())
	yamlnode.Safe(item.Document())
	if err := errors.Join(encoder.Encode(item.Document()), encoder.Close()); err != nil {
		return fmt.Errorf("encode the manifests: %w", err)
	}
	return nil
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
			if err == nil {
				err = s.write(node, "")
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeSource writes a document from a file, with its current text.
func (s *stream) writeSource(from *origin, body string) {
	before, behind := from.text[from.begin:from.from], from.text[from.to:from.end]
	text := before + body + behind
	switch {
	case s.Len() == 0 && from.begin == 0:
		if from.marked {
			s.WriteString("\ufeff")
		}
	case s.Len() == 0:
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
	s.WriteString(text)
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
	if text := s.Bytes(); text[len(text)-1] != '\n' {
		s.WriteString("\n")
	}
}
