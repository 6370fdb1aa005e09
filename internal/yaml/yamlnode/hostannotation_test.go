package yamlnode_test

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

func TestIsHostAnnotation(t *testing.T) {
	for key, want := range map[string]bool{
		"config.kubernetes.io/index":                                      true,
		"internal.config.kubernetes.io/annotations-migration-resource-id": true,
		"config.k8s.io/id":                                                true,
		"internal.config.k8s.io/kpt-resource-id":                          true,
		"internal.kpt.dev/upstream-identifier":                            true,
		"config.kubernetes.io/local-config":                               false,
		"config.kubernetes.io/function":                                   false,
		"goldenarch.dev/claim":                                            false,
		"ssp.kubevirt.io/dict.architectures":                              false,
		"kubernetes.io/description":                                       false,
		"config.kubernetes.io":                                            true,
		"example.com/internal.config.kubernetes.io":                       false,
	} {
		if got := yamlnode.IsHostAnnotation(key); got != want {
			t.Errorf("IsHostAnnotation(%q) = %t, want %t", key, got, want)
		}
	}
}
