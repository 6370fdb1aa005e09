package kustomization

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestFind: what cannot be read has no objects, and a circle ends.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		want   string
	}{
		"Generator": {"a configuration is one wherever it is listed", map[string]string{"top/kustomization.yaml": "generators: [config.yaml]", "top/config.yaml": config}, "config"},
		"Directory": {"a directory of configurations", map[string]string{"top/kustomization.yaml": "transformers: [../t]", "t/kustomization.yaml": "resources: [config.yaml]", "t/config.yaml": config}, "config"},
		"Inline":    {"inline in a base", map[string]string{"top/kustomization.yaml": "bases: [../t]", "t/kustomization.yaml": "transformers: ['" + `{"apiVersion": "goldenarch.dev/v1alpha1", "kind": "GoldenImages", "metadata": {"name": "here"}}` + "']"}, "here"},
		"Circle":    {"it ends", map[string]string{"top/kustomization.yaml": "resources: [../t]", "t/kustomization.yaml": "resources: [../top]"}, ""},
		"Outside":   {"kustomize refuses it", map[string]string{"top/kustomization.yaml": "transformers: [../config.yaml]", "config.yaml": config}, ""},
		"NotListed": {"it does nothing", map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]", "top/cr.yaml": cr, "top/config.yaml": config}, ""},
		"Broken":    {"nor does what is no YAML", map[string]string{"top/kustomization.yaml": "transformers: [config.yaml]", "top/config.yaml": config + "x: ["}, ""},
		"NoYAML":    {"so with the kustomization", map[string]string{"top/kustomization.yaml": "transformers: [config.yaml", "top/config.yaml": config}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			found, err := Find(written(t, tc.files), isGoldenImages)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if found != nil {
				got = found.GetName()
			}
			if got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
	if found, err := Find(t.TempDir(), func(*yaml.RNode) bool { return true }); found != nil || err != nil {
		t.Errorf("a directory without a kustomization lists %v, %v", found, err)
	}
}
