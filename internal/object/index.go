package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Index finds the item that a finding is about. A run has a finding for each of thousands
// of items, so it must not search all of them for each one.
type Index struct {
	at map[filePlace][]*yaml.RNode
}

// filePlace is the place of an item in a file.
type filePlace struct {
	file  string
	index int
}

// NewIndex returns an index of items.
func NewIndex(items []*yaml.RNode) Index {
	out := Index{at: make(map[filePlace][]*yaml.RNode, len(items))}
	for _, item := range items {
		file, index := Place(item)
		at := filePlace{file, index}
		out.at[at] = append(out.at[at], item)
	}
	return out
}

// Item returns the item that an object is, or that the object is in; nil if there is none.
// Several items can have one place, because kustomize builds several from one document.
func (x Index) Item(o finding.Object) *yaml.RNode {
	var out *yaml.RNode
	for _, item := range x.at[filePlace{o.File, o.Index}] {
		if out == nil || TextAt(item, "kind") == o.Kind && TextAt(item, "metadata", "name") == o.Name {
			out = item
		}
	}
	return out
}
