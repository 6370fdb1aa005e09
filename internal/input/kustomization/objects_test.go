package kustomization

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestObjectsAreKept: builds that have the same object get items of their own.
func TestObjectsAreKept(t *testing.T) {
	t.Parallel()
	objects := &Objects{}
	dir := written(t, map[string]string{"top/kustomization.yaml": "resources: [p.yaml]\n", "top/p.yaml": cr})
	known := map[*yaml.Node]bool{}
	for i := range 4 {
		built, err := buildRequested(Request{Dir: dir, Objects: objects})
		if err != nil {
			t.Fatal(err)
		}
		item := built.Items[0]
		if known[item.YNode()] || item.GetName() != "cr" {
			t.Errorf("build %d: want an own item, got %s", i, item.MustString())
		}
		known[item.YNode()] = true
		if err := item.SetName("changed"); err != nil {
			t.Fatal(err)
		}
	}
}
