package manifest

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// records are annotations that are only for fix --undo. What they are about matters: where a
// file has no place for a record, the rest is written without it. Such a file has only the
// spec of a CR, shares the annotations with another object, or is a patch of one value.
var records = []string{hyperconverged.EnableRecord, hyperconverged.EnableBefore, hyperconverged.ClaimRecord}

// withoutRecord returns a copy of an item without its records that are new in the text, nil
// if the item has none.
func (s *source) withoutRecord(item *yaml.RNode) *yaml.RNode {
	body := s.body()
	added := slices.DeleteFunc(slices.Clone(records), func(key string) bool { return strings.Contains(body, key) })
	copied := item.Copy()
	if len(added) == 0 || !removeRecords(copied.YNode(), added) {
		return nil
	}
	return copied
}

// WithoutRecord returns the items without the records that are new in them, and their texts.
// It copies the items that it changes. It reports whether there is such a record.
func (t Texts) WithoutRecord(items []*yaml.RNode) ([]*yaml.RNode, Texts, bool) {
	out, texts, found := make([]*yaml.RNode, len(items)), Texts{}, false
	texts.Add(t)
	for i, item := range items {
		out[i] = item
		from := t.sources[item]
		if from == nil {
			continue
		}
		if copied := from.withoutRecord(item); copied != nil {
			out[i], texts.sources[copied], found = copied, from, true
		}
	}
	return out, texts, found
}

// removeRecords removes records from each object in a tree, and reports whether one had some.
func removeRecords(n *yaml.Node, keys []string) bool {
	removed := false
	metadata := yamlnode.Value(n, yaml.MetadataField)
	if annotations := yamlnode.Value(metadata, annotationsField); annotations != nil {
		for _, key := range keys {
			if yamlnode.Field(annotations, key) >= 0 {
				yamlnode.Remove(annotations, key)
				removed = true
			}
		}
		if removed && len(annotations.Content) == 0 && annotations.Line == 0 { // the file has none
			yamlnode.Remove(metadata, annotationsField)
		}
	}
	for _, child := range n.Content {
		removed = removeRecords(child, keys) || removed
	}
	return removed
}
