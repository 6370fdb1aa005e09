package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Replace puts another mapping in the place of an object's. The comments before and after a
// document belong to the document and stay.
func Replace(n *yaml.RNode, mapping *yaml.Node) {
	if doc := n.Document(); doc.Kind == yaml.DocumentNode {
		doc.Content[0] = mapping
		return
	}
	n.SetYNode(mapping)
}
