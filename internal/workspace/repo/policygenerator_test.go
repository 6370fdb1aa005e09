package repo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestGeneratorsAreReadOnce: a repository of many clusters and many PolicyGenerators takes no time with
// the product of their numbers.
func TestGeneratorsAreReadOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const resources = "resources: [cr.yaml]\n"
	filetest.Write(t, dir, map[string]string{
		".git/config": "", "kustomization.yaml": "generators: [policies.yaml]\n",
		"policies.yaml":        "kind: PolicyGenerator\nmetadata: {name: p}\npolicies: [{manifests: [{path: a}, {path: b}]}]\n",
		"a/kustomization.yaml": resources, "b/kustomization.yaml": resources, "c/kustomization.yaml": resources,
	})
	var generators Generators
	for _, one := range []struct {
		name string
		want int
	}{{"a", 1}, {"b", 1}, {"c", 0}} {
		if got := generators.CarriersOf(filepath.Join(dir, one.name)); len(got) != one.want {
			t.Errorf("%s: want %d policies, got %v", one.name, one.want, got)
		}
		_ = os.Remove(filepath.Join(dir, "policies.yaml")) // it is read already
	}
}
