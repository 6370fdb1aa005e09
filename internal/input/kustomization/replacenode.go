package kustomization

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// replaceNode replaces a value. The parts that are equal in both values keep their form,
// because kustomize has sorted the fields of the built object.
func replaceNode(parent *yaml.Node, i int, value *yaml.Node) {
	old := parent.Content[i]
	switch {
	case yamlnode.Same(old, value):
	case old.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode && len(old.Content) > 0:
		replaceFields(old, value)
	case old.Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode && len(old.Content) > 0 && sameNames(old.Content, value.Content):
		for j, element := range value.Content {
			if j < len(old.Content) {
				replaceNode(old, j, element)
			} else {
				old.Content = append(old.Content, yamlnode.Unplaced(element))
			}
		}
	default:
		out := yamlnode.Unplaced(value)
		if old.Kind == yaml.ScalarNode && out.Kind == yaml.ScalarNode && old.Tag == out.Tag {
			out.Style = old.Style
		}
		parent.Content[i] = out
	}
}

func replaceFields(old, value *yaml.Node) {
	for key, value := range yamlnode.Pairs(value) {
		if j := yamlnode.Field(old, key.Value); j >= 0 {
			replaceNode(old, j, value)
		} else {
			old.Content = append(old.Content, yamlnode.Unplaced(key), yamlnode.Unplaced(value))
		}
	}
	yamlnode.RemoveFunc(old, func(key string) bool { return yamlnode.Field(value, key) < 0 })
}

// sameNames reports whether a list begins with the elements of another, compared by name.
func sameNames(old, value []*yaml.Node) bool {
	if len(value) < len(old) {
		return false
	}
	for i := range old {
		if nodeName(old[i]) != nodeName(value[i]) {
			return false
		}
	}
	return true
}

// nodeName returns the name of an element, or "" if it has none.
func nodeName(n *yaml.Node) string {
	for _, path := range [][]string{{"metadata", "name"}, {"name"}, {"key"}} {
		if name := yamlnode.Lookup(n, path); name != nil {
			return name.Value
		}
	}
	return ""
}
