package wrapper

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Resource names an object whose texts a ClusterResourceSet applies to clusters.
type Resource struct{ Kind, Namespace, Name string }

// IsResourceSet reports whether an object is a ClusterResourceSet of Cluster API.
func IsResourceSet(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return group == "addons.cluster.x-k8s.io" && kind == "ClusterResourceSet"
}

// ResourcesOf returns the ConfigMaps and Secrets that a ClusterResourceSet applies, and
// whether a later edit of them reaches the clusters.
//
// With the strategy Reconcile, the controller applies a resource again when its content has
// changed, and replaces the object with a patch. With ApplyOnce, which is the default, it
// applies a resource once for each cluster (cluster-api
// core/reconcilers/clusterresourceset/clusterresourceset_scope.go: needsApply, applyObj;
// core/webhooks/admission/clusterresourceset.go: Default).
func ResourcesOf(set node) ([]Resource, Reach) {
	reach := CreatedOnce
	if yamlnode.Text(set, "spec", "strategy") == "Reconcile" {
		reach = Applied
	}
	var out []Resource
	for _, one := range yamlnode.Elements(set, "spec", "resources") {
		out = append(out, Resource{yamlnode.Text(one, "kind"), yamlnode.Text(set, "metadata", "namespace"), yamlnode.Text(one, "name")})
	}
	return out, reach
}

// Matches reports whether a resource of a set is an object. A namespace that is missing may
// be any: kubectl and kustomize add it.
func (r Resource) Matches(kind, namespace, name string) bool {
	return r.Kind == kind && r.Name == name && (r.Namespace == namespace || r.Namespace == "" || namespace == "")
}

// Text is a text that a ConfigMap or a Secret holds.
type Text struct {
	// Keys lead to the text, such as data and hco.yaml.
	Keys []string
	// Node is the text.
	Node node
}

// Path returns the path of the text as findings name it.
func (t Text) Path() string { return fieldpath.Join(t.Keys[0], t.Keys[1]) }

// Texts returns the texts of a ConfigMap, or of the stringData of a Secret, that may hold
// what the caller looks for. It leaves out the data of a Secret, which is not a readable
// text.
func Texts(kind string, object node, mayHold func(text string) bool) []Text {
	field := map[string]string{"ConfigMap": "data", "Secret": "stringData"}[kind]
	data := yamlnode.Get(object, field)
	if field == "" || data == nil {
		return nil
	}
	var out []Text
	for key, value := range yamlnode.Fields(data) {
		if value.Kind == yaml.ScalarNode && mayHold(value.Value) {
			out = append(out, Text{[]string{field, key}, value})
		}
	}
	return out
}
