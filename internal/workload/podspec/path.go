package podspec

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// found is a node that a path leads to.
type found struct {
	node *yaml.Node
	path string // with the indexes: spec.install.spec.deployments[0].spec
	// names are the names of the list elements on the path; "" for one without a name.
	names []string
}

// walk follows a path such as spec.deployments[].spec from a mapping. It returns nothing if
// the path does not exist.
func walk(n *yaml.Node, path string) []found {
	at := []found{{node: n}}
	for step := range strings.SplitSeq(path, ".") {
		key, isList := strings.CutSuffix(step, "[]")
		var next []found
		for _, f := range at {
			value := yamlnode.Get(f.node, key)
			f.path = fieldpath.Below(f.path, key)
			switch {
			case value == nil:
			case !isList:
				f.node = value
				next = append(next, f)
			case value.Kind == yaml.SequenceNode:
				next = append(next, f.elements(value)...)
			}
		}
		at = next
	}
	return at
}

// elements returns the elements of a list below f.
func (f found) elements(list *yaml.Node) []found {
	var out []found
	for i, element := range list.Content {
		element = yamlnode.Dealias(element)
		out = append(out, found{
			node: element, path: fieldpath.Element(f.path, i),
			names: append(append([]string{}, f.names...), yamlnode.Text(element, "name")),
		})
	}
	return out
}
