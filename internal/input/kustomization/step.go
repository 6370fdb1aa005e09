package kustomization

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// step is a step of a field's path in a built object.
type step struct {
	key     string
	element bool
	name    string // of the element, "" if it has none
}

// stepsTo returns the steps to a field, and the values on the way. It stops where the
// object has no such field.
func stepsTo(n *yaml.Node, field string) ([]step, []*yaml.Node) {
	var steps []step
	values := []*yaml.Node{n}
	for _, key := range fieldpath.Steps(field) {
		next, _ := yamlnode.Child(n, key)
		if next == nil {
			break
		}
		s := step{key: key, element: n.Kind == yaml.SequenceNode}
		if s.element {
			s.name = nodeName(next)
		}
		n = next
		steps, values = append(steps, s), append(values, n)
	}
	return steps, values
}

// value returns the value that a fragment sets at a path, and its line; nil if it sets
// none.
func (x fragment) value(steps []step) (*yaml.Node, int) {
	n, line := x.node, x.line(x.node)
	if len(x.at) > len(steps) {
		return nil, 0
	}
	for i, key := range x.at {
		if s := steps[i]; s.element && i == len(x.at)-1 && s.name != "" {
			if nodeName(n) != s.name {
				return nil, 0
			}
		} else if key != s.key {
			return nil, 0
		}
	}
	for _, s := range steps[len(x.at):] {
		next, at := s.from(n)
		if next == nil {
			return nil, 0
		}
		n = yamlnode.Dealias(next)
		line = x.line(at)
	}
	return n, line
}

// from returns the value that a step leads to, and the node with its line: the key of a
// field, or the element.
func (s step) from(n *yaml.Node) (value, at *yaml.Node) {
	if n.Kind == yaml.SequenceNode && s.element && s.name != "" {
		for _, element := range n.Content {
			if nodeName(yamlnode.Dealias(element)) == s.name {
				return element, element
			}
		}
		return nil, nil
	}
	value, line := yamlnode.Child(n, s.key)
	return value, &yaml.Node{Line: line}
}
