package yamlnode

import "strings"

// IsHostAnnotation reports whether the key of an annotation is one with which kustomize,
// kpt or goldenarch keep track of the items that they pass to a function: where an item
// comes from and where it goes. A host writes them into the items, and takes them out of
// the output; a file never has them (kyaml kio/kioutil, kpt internal/pkg).
func IsHostAnnotation(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	switch domain {
	case "config.kubernetes.io", "internal.config.kubernetes.io", "config.k8s.io", "internal.config.k8s.io",
		"kustomize.config.k8s.io", "internal.kpt.dev", "internal.goldenarch.dev":
		return true
	}
	return false
}
