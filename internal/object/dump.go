package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// IsDump reports whether an object was read from a cluster. Only the API server sets a uid,
// a resourceVersion and a status with content. Tools that write manifests from Go types
// leave "status: {}", which does not count.
func IsDump(n *yaml.Node) bool {
	return DumpField(n) != ""
}

// DumpField returns the field that shows that an object was read from a cluster; "" if no
// field shows it.
func DumpField(n *yaml.Node) string {
	o := yaml.NewRNode(n)
	switch status := NodeAt(o, "status"); {
	case status != nil && len(status.Content) > 0:
		return "status"
	case TextAt(o, "metadata", "uid") != "":
		return "metadata.uid"
	case TextAt(o, "metadata", "resourceVersion") != "":
		return "metadata.resourceVersion"
	default:
		return ""
	}
}
