package kustomize

import (
	"fmt"
	"testing"
)

// TestConfigurationsAreBuiltOnce: of directories of configurations in each other each
// is built once, so that another one adds as much as the ones before.
func TestConfigurationsAreBuiltOnce(t *testing.T) {
	t.Parallel()
	reads := func(length int) int {
		files := map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]\ntransformers: [../d0]", "top/cr.yaml": cr}
		for i := range length {
			files[fmt.Sprintf("d%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [label.yaml]\ntransformers: [../d%d]", i+1)
			files[fmt.Sprintf("d%d/label.yaml", i)] = label
		}
		files[fmt.Sprintf("d%d/kustomization.yaml", length)] = "resources: [label.yaml]"
		files[fmt.Sprintf("d%d/label.yaml", length)] = label
		d := newDisk()
		b, err := newBuild(d, written(t, files))
		if err == nil {
			_, err = b.run()
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(d.built) != length+1 {
			t.Errorf("%d directories: %d were built", length+1, len(d.built))
		}
		return d.budget.Files()
	}
	few, many := reads(6), reads(12)
	if many > 6*few {
		t.Errorf("twice the directories cost %d reads instead of %d", many, few)
	}
}
