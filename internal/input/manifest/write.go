package manifest

import (
	"bytes"
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlout"
)

// internalAnnotations are for tools that pass items on to each other.
var internalAnnotations = []string{
	kioutil.PathAnnotation, kioutil.IndexAnnotation, kioutil.SeqIndentAnnotation, kioutil.IdAnnotation,
	kioutil.LegacyPathAnnotation, kioutil.LegacyIndexAnnotation, kioutil.LegacyIdAnnotation, //nolint:staticcheck // older hosts set them
	kioutil.InternalAnnotationsMigrationResourceIDAnnotation,
	"internal.config.kubernetes.io/package-path",
	"config.kubernetes.io/merge-source",
}

// Write writes the items as YAML documents, without the annotations that are
// for tools only, and all at once: after an error nothing was written. The values
// are those of the items, whatever form they have.
func Write(w io.Writer, items []*yaml.RNode) error {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	for _, item := range items {
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
	}
	if err := encoder.Close(); err != nil {
		return fmt.Errorf("encode the manifests: %w", err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the manifests: %w", err)
	}
	return nil
}

// clearElements takes the internal annotations off the elements of a List.
func clearElements(item *yaml.RNode) {
	list := target(valueOf(item.YNode(), "items"))
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	for _, element := range list.Content {
		metadata := target(valueOf(target(element), yaml.MetadataField))
		annotations := target(valueOf(metadata, annotationsField))
		for _, key := range internalAnnotations {
			if annotations != nil {
				remove(annotations, key)
			}
		}
	}
}

// target returns what an alias stands for, and any other node as it is.
func target(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// textOf returns the value of an annotation, "" if the item has none.
func textOf(item *yaml.RNode, key string) string {
	note := valueOf(valueOf(valueOf(item.YNode(), yaml.MetadataField), annotationsField), key)
	if note == nil {
		return ""
	}
	return note.Value
}
