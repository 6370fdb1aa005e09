package podspec

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Object is a Kubernetes object of an item: the item itself, or one that it wraps.
type Object struct {
	Node                              *yaml.Node // a mapping
	APIVersion, Kind, Namespace, Name string
	// Path is the path of the object in its item: "", items[2], spec.workload.manifests[0].
	Path string
}

// Group returns the API group, "" for the core group.
func (o Object) Group() string {
	group, _, ok := strings.Cut(o.APIVersion, "/")
	if !ok {
		return ""
	}
	return group
}

// Annotation returns an annotation of the object; "" if it does not exist.
func (o Object) Annotation(key string) string {
	return yamlnode.Text(o.Node, "metadata", "annotations", key)
}

// Labels returns the labels of the object.
func (o Object) Labels() map[string]string {
	return texts(yamlnode.Lookup(o.Node, []string{"metadata", "labels"}))
}

// texts returns the texts of a mapping.
func texts(n *yaml.Node) map[string]string {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	out := make(map[string]string, len(n.Content)/2)
	for key, value := range yamlnode.Fields(n) {
		if value.Kind == yaml.ScalarNode {
			out[key] = value.Value
		}
	}
	return out
}

// IsRecreated reports whether each apply creates a new object instead of changing the old
// one. Either the object's name is generated, or Argo CD or Helm deletes the object first.
func (o Object) IsRecreated() bool {
	return o.Name == "" && yamlnode.Text(o.Node, "metadata", "generateName") != "" ||
		o.Annotation("argocd.argoproj.io/hook") != "" || o.Annotation("helm.sh/hook") != "" ||
		strings.Contains(o.Annotation("argocd.argoproj.io/sync-options"), "Replace=true")
}
