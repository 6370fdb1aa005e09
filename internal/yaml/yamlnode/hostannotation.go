package yamlnode

import "strings"

// IsHostAnnotation reports whether the key of an annotation is one with which kustomize,
// kpt or goldenarch keep track of the items that they pass to a function: where an item
// comes from and where it goes (kyaml kio/kioutil, kpt internal/pkg). A host writes them
// into the items and takes them out of the output. What a person writes for a host is not
// among them: that an object is only local, or a function's configuration.
func IsHostAnnotation(key string) bool {
	domain, name, _ := strings.Cut(key, "/")
	if name == "local-config" || name == "function" {
		return false
	}
	switch domain {
	case "config.kubernetes.io", "internal.config.kubernetes.io", "config.k8s.io", "internal.config.k8s.io",
		"kustomize.config.k8s.io", "internal.kpt.dev", "internal.goldenarch.dev":
		return true
	}
	return false
}
