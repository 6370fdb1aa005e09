package kustomization

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

func withKey(path []step, key string) []step {
	return append(slices.Clip(path), step{key: key})
}

func withElement(path []step, i int, name string) []step {
	return append(slices.Clip(path), step{key: strconv.Itoa(i), element: true, name: name})
}

// shownPath returns a path as findings name a field.
func shownPath(path []step) string {
	var out strings.Builder
	for i, step := range path {
		switch {
		case step.element:
			out.WriteString("[" + step.key + "]")
		case i > 0:
			out.WriteString("." + step.key)
		default:
			out.WriteString(step.key)
		}
	}
	return out.String()
}

// in returns the value at a step; nil if the node has none. It finds an element by its
// name, because patches change the order.
func (s step) in(n *yaml.Node) *yaml.Node {
	if !s.element {
		return yamlnode.NonNull(yamlnode.Value(n, s.key))
	}
	if n.Kind == yaml.SequenceNode {
		for _, element := range n.Content {
			if nodeName(element) == s.name {
				return element
			}
		}
	}
	return nil
}

// lookup returns the value at a path; nil if the node has no such path.
func lookup(n *yaml.Node, path []step) *yaml.Node {
	for _, step := range path {
		if n == nil {
			return nil
		}
		n = step.in(n)
	}
	return n
}

// mappingAt returns the mapping at a path, and makes the mappings that are missing. It
// returns nil if an element of a list is missing, or something else is there.
func mappingAt(n *yaml.Node, path []step) *yaml.Node {
	for _, step := range path {
		if step.element {
			if n = step.in(n); n == nil {
				return nil
			}
			continue
		}
		if n.Kind != yaml.MappingNode {
			return nil
		}
		n = yamlnode.Mapping(n, step.key)
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	return n
}
