package manifest

import (
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/yamledit"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// internalAnnotations are the annotations with which tools pass items to each other.
var internalAnnotations = []string{
	kioutil.PathAnnotation, kioutil.IndexAnnotation, kioutil.SeqIndentAnnotation, kioutil.IdAnnotation,
	kioutil.LegacyPathAnnotation, kioutil.LegacyIndexAnnotation, kioutil.LegacyIdAnnotation, //nolint:staticcheck // older hosts set them
	kioutil.InternalAnnotationsMigrationResourceIDAnnotation,
	"internal.config.kubernetes.io/package-path",
	"config.kubernetes.io/merge-source",
}

// Write writes the items as YAML documents, without the internal annotations. It writes
// everything at once, so after an error it has written nothing. The values are the same as
// in the items, but their form may differ.
func Write(w io.Writer, items []*yaml.RNode) error { return Texts{}.Write(w, items) }

// Write writes items as the function [Write] does. In place of an item that represents
// documents, it writes the documents. If it knows the text of an item, the unchanged parts
// keep their bytes.
func (t Texts) Write(w io.Writer, items []*yaml.RNode) error {
	var out stream
	edits, err := t.edits(items)
	if err != nil {
		return err
	}
	for i, item := range items {
		if from := t.sources[item]; from != nil && from.held != nil && t.heldIn(items, from)[0] != item {
			continue // the first item has written the document
		}
		if r := t.of[item]; r != nil {
			for doc := range r.docs {
				from := r.source(doc)
				out.writeSource(from, from.body())
			}
			continue
		}
		if err := out.write(item, edits[i]); err != nil {
			return err
		}
	}
	if err := out.close(); err != nil {
		return err
	}
	for _, page := range out.pages {
		if _, err := w.Write(page); err != nil {
			return fmt.Errorf("write the manifests: %w", err)
		}
	}
	return nil
}

// edit is the text of an item after its changes. One without a source has no text, or
// none that can be edited.
type edit struct {
	*source

	text string
}

// edits returns the edits of items, in their order. An edit parses and encodes, and it
// reads the items of its own document only, so all processors share the work. An item that
// is a part of a document has no other form, so it is an error if its text cannot be edited.
func (t Texts) edits(items []*yaml.RNode) ([]edit, error) {
	out := make([]edit, len(items))
	failed := make([]error, len(items))
	parallel.Each(len(items), func(i int) {
		from := t.sources[items[i]]
		if from == nil || t.of[items[i]] != nil {
			return
		}
		if from.held != nil {
			text, _, err := t.heldText(items, from)
			if unsafe, is := errors.AsType[*yamledit.Error](err); is {
				err = &UnsafeError{File: from.name, Item: items[i], Reason: from.inFile(*unsafe)}
			}
			out[i], failed[i] = edit{from, text}, err
			return
		}
		if text, err := from.edited(items[i]); err == nil {
			out[i] = edit{from, text}
		}
	})
	return out, errors.Join(failed...)
}

func encode(encoder *yaml.Encoder, item *yaml.RNode) error {
	if textOf(item, kioutil.SeqIndentAnnotation) == string(yaml.WideSequenceStyle) {
		encoder.DefaultSeqIndent()
	} else {
		encoder.CompactSeqIndent()
	}
	clearElements(item)
	drain(item, internalAnnotations)
	yamlout.Safe(item.Document())
	if err := encoder.Encode(item.Document()); err != nil {
		return fmt.Errorf("encode the manifests: %w", err)
	}
	return nil
}

// pages is a buffer that grows without copying its content.
type pages [][]byte

const page = 1 << 16

func (p *pages) Write(data []byte) (int, error) {
	n := len(data)
	for len(data) > 0 {
		last := len(*p) - 1
		if last < 0 || len((*p)[last]) == page {
			*p, last = append(*p, make([]byte, 0, page)), last+1
		}
		some := min(len(data), page-len((*p)[last]))
		(*p)[last], data = append((*p)[last], data[:some]...), data[some:]
	}
	return n, nil
}

// clearElements removes the internal annotations from the elements of a List.
func clearElements(item *yaml.RNode) {
	list := yamlnode.Dealias(yamlnode.Value(item.YNode(), "items"))
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	for _, element := range list.Content {
		metadata := yamlnode.Dealias(yamlnode.Value(yamlnode.Dealias(element), yaml.MetadataField))
		annotations := yamlnode.Dealias(yamlnode.Value(metadata, annotationsField))
		for _, key := range internalAnnotations {
			if annotations != nil {
				yamlnode.Remove(annotations, key)
			}
		}
	}
}

// textOf returns the value of an annotation, or "" if the item does not have it.
func textOf(item *yaml.RNode, key string) string {
	note := yamlnode.Value(yamlnode.Value(yamlnode.Value(item.YNode(), yaml.MetadataField), annotationsField), key)
	if note == nil {
		return ""
	}
	return note.Value
}
