package kinds

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/object"
)

// DumpedNodes returns the Nodes in an item that were read from a cluster and that do not
// have the local-config annotation.
func DumpedNodes(item *yaml.RNode) []object.Object {
	if object.IsLocal(item) {
		return nil
	}
	var out []object.Object
	for _, o := range object.All([]*yaml.RNode{item}) {
		if IsNode(o.At) && !o.IsWrapped() && object.IsDump(o.Node.YNode()) && !object.IsLocal(o.Node) {
			out = append(out, o)
		}
	}
	return out
}
