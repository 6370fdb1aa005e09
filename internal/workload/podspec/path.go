package podspec

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

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
			value := resolved(yamlnode.Get(f.node, key))
			f.path = strings.TrimPrefix(f.path+"."+key, ".")
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
		element = resolved(element)
		out = append(out, found{
			node: element, path: fmt.Sprintf("%s[%d]", f.path, i),
			names: append(append([]string{}, f.names...), text(element, "name")),
		})
	}
	return out
}

// resolved returns the node that an alias refers to, and any other node unchanged.
func resolved(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// text returns the text at a path of keys; "" if the path does not exist.
func text(n *yaml.Node, path ...string) string {
	if n == nil {
		return ""
	}
	if n = resolved(yamlnode.Lookup(n, path)); n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}
