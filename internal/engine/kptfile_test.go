package engine

import (
	"slices"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestConfigPaths: the configurations that a Kptfile names, however it is written.
func TestConfigPaths(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, text string }{
		{"plain", "kind: Kptfile\npipeline: {mutators: [{image: a, configPath: golden.yaml}]}\n"},
		{"the kind is an alias", "x: &k Kptfile\nkind: *k\npipeline: {mutators: [{image: a, configPath: golden.yaml}]}\n"},
		{"the functions are an alias", "kind: Kptfile\nx: &f [{image: a, configPath: golden.yaml}]\npipeline: {mutators: *f}\n"},
		{"a function is an alias", "kind: Kptfile\nx: &f {image: a, configPath: golden.yaml}\npipeline: {mutators: [*f]}\n"},
		{"a merge key has the function", "kind: Kptfile\nx: &f {configPath: golden.yaml}\npipeline: {mutators: [{<<: *f, image: a}]}\n"},
	} {
		if got := ConfigPaths([]*yaml.RNode{yaml.MustParse(tc.text)}); !slices.Contains(got, "golden.yaml") {
			t.Errorf("%s: got %v", tc.reason, got)
		}
	}
}
