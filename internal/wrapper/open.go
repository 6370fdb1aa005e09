package wrapper

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Held is an object that a wrapper holds.
type Held struct {
	// Path leads from the wrapper to the object, such as
	// "spec.policy-templates[0].objectDefinition".
	Path string
	// Node is the object, a mapping.
	Node *yaml.Node
	// Reach says whether an edit of the object reaches the cluster.
	Reach Reach
}

// node is a YAML node, or nil.
type node = *yaml.Node

// Open returns the objects that a wrapper holds, in their order. It does not open wrappers
// inside the wrapper. For a kind that is not a wrapper it returns nil. The node must not
// have an anchor that is its own ancestor.
func Open(apiVersion, kind string, wrapper *yaml.Node) []Held {
	p, ok := placeOf(apiVersion, kind)
	if !ok {
		return nil
	}
	var out []Held
	var walk func(n, parent node, path string, rest []string)
	walk = func(n, parent node, path string, rest []string) {
		n = yamlnode.Root(n)
		switch {
		case n == nil:
		case len(rest) == 0:
			if n.Kind == yaml.MappingNode {
				held := Held{Path: path, Node: n}
				if p.reach != nil {
					held.Reach = p.reach(yamlnode.Root(wrapper), parent, n)
				}
				out = append(out, held)
			}
		case rest[0] == each:
			if n.Kind != yaml.SequenceNode {
				return
			}
			for i, next := range n.Content {
				walk(next, n, fieldpath.Element(path, i), rest[1:])
			}
		default:
			walk(yamlnode.Get(n, rest[0]), n, fieldpath.Join(path, rest[0]), rest[1:])
		}
	}
	walk(wrapper, nil, "", p.path)
	return out
}
