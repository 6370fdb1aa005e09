package object

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// IsDump reports whether an object was read from a cluster. Only the API server sets a uid,
// a resourceVersion and a status with content. Tools that write manifests from Go types
// leave "status: {}", which does not count.
func IsDump(n *yaml.Node) bool {
	return DumpField(n) != ""
}

// serverFields are the fields below metadata that only the API server sets.
var serverFields = []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}

// ServerFields returns the paths of the fields that only a cluster sets, with content:
// "metadata.uid", "status". Tools that write manifests from Go types leave empty ones, which
// do not count.
func ServerFields(n *yaml.Node) []string {
	o := yaml.NewRNode(n)
	var out []string
	for _, field := range serverFields {
		value := NodeAt(o, "metadata", field)
		if value != nil && value.Tag != yaml.NodeTagNull && (value.Value != "" || len(value.Content) > 0) {
			out = append(out, "metadata."+field)
		}
	}
	if status := NodeAt(o, "status"); status != nil && len(status.Content) > 0 {
		out = append(out, "status")
	}
	return out
}

// RemoveServerFields removes the fields that only a cluster sets.
func RemoveServerFields(n *yaml.Node) {
	yamlnode.Remove(n, "status")
	if metadata := NodeAt(yaml.NewRNode(n), "metadata"); metadata != nil {
		for _, field := range serverFields {
			yamlnode.Remove(metadata, field)
		}
	}
}

// DumpField returns the field that shows that an object was read from a cluster; "" if no
// field shows it.
func DumpField(n *yaml.Node) string {
	fields := ServerFields(n)
	for _, field := range []string{"status", "metadata.uid", "metadata.resourceVersion"} {
		if slices.Contains(fields, field) {
			return field
		}
	}
	return ""
}
