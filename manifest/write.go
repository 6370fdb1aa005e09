package manifest

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"
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
// for tools only, and all at once: after an error nothing was written.
func Write(w io.Writer, items []*yaml.RNode) error {
	for _, item := range items {
		if err := clearElements(item); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	if err := (kio.ByteWriter{Writer: &out, ClearAnnotations: internalAnnotations}).Write(items); err != nil {
		return fmt.Errorf("encode the manifests: %w", err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the manifests: %w", err)
	}
	return nil
}

// clearElements takes the internal annotations off the elements of a List.
func clearElements(item *yaml.RNode) error {
	list := item.Field("items")
	if list == nil || list.Value.YNode().Kind != yaml.SequenceNode {
		return nil
	}
	for _, element := range list.Value.Content() {
		node := yaml.NewRNode(element)
		if !hasMetadata(node) {
			continue // kyaml's accessors panic on it
		}
		for key := range node.GetAnnotations() {
			if !slices.Contains(internalAnnotations, key) {
				continue
			}
			if err := node.PipeE(yaml.ClearAnnotation(key)); err != nil {
				return fmt.Errorf("clear annotation %q: %w", key, err)
			}
		}
	}
	return nil
}
