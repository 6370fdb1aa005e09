package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// LocalConfig annotates an item that is for tools and not for the cluster. Any value except
// "false" has this effect.
const LocalConfig = "config.kubernetes.io/local-config"

// IsLocal reports whether an item is for tools, not for the cluster.
func IsLocal(item *yaml.RNode) bool {
	node := NodeAt(item, "metadata", "annotations", LocalConfig)
	return node != nil && node.Value != "false"
}
