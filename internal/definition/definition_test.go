package definition

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

var update = flag.Bool("update", false, "write krmfunctiondefinition.yaml")

const (
	file = "krmfunctiondefinition.yaml"
	head = "# The function for catalogs and editors (KEP-2906). Made from the Go types of\n# api/v1alpha1 by: go test ./internal/definition -update\n"
	home = "https://github.com/goldenarch/goldenarch"
)

func TestDefinitionIsFresh(t *testing.T) {
	t.Parallel()
	defaults, err := v1alpha1.DecodeGoldenImages(nil)
	if err != nil {
		t.Fatal(err)
	}
	configuration := sources{}.schemaOf(t, reflect.TypeFor[v1alpha1.GoldenImages](), tree(t, defaults))
	properties := configuration["properties"].(schema)
	properties["apiVersion"] = schema{"type": "string", "enum": []string{v1alpha1.APIVersion}}
	properties["kind"] = schema{"type": "string", "enum": []string{v1alpha1.GoldenImagesKind}}
	got, err := yaml.Marshal(definition(configuration))
	if err != nil {
		t.Fatal(err)
	}
	got = append([]byte(head), got...)
	path := filepath.Join(root, file)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what the types say (-file +types); refresh with: go test ./internal/definition -update\n%s", file, diff)
	}
}

func definition(configuration schema) schema {
	meta := metadata()
	return schema{
		"apiVersion": framework.FunctionDefinitionGroupVersion,
		"kind":       framework.FunctionDefinitionKind,
		"metadata": schema{
			"name":        "goldenimages." + v1alpha1.Group,
			"annotations": schema{"config.kubernetes.io/local-config": "true"},
		},
		"spec": schema{
			"group":       v1alpha1.Group,
			"names":       schema{"kind": v1alpha1.GoldenImagesKind},
			"description": meta.Description,
			"publisher":   "goldenarch",
			"home":        home,
			"tags":        meta.Tags,
			"versions": []schema{{
				"name":       strings.TrimPrefix(v1alpha1.APIVersion, v1alpha1.Group+"/"),
				"idempotent": true,
				"license":    meta.License,
				"usage":      home + "/blob/main/docs/configuration.md",
				"examples":   meta.ExamplePackageURLs,
				// A network, as long as no lock answers for the images.
				"runtime": schema{"container": schema{"image": meta.Image, "network": true}},
				"schema":  schema{"openAPIV3Schema": configuration},
			}},
		},
	}
}

// tree is a value as decoded JSON.
func tree(t *testing.T, value any) map[string]any {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// The readers of such files are kyaml's.
func TestDefinitionIsReadByKyaml(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	read, err := framework.SchemaFromFunctionDefinition(resid.NewGvk(v1alpha1.Group, "v1alpha1", v1alpha1.GoldenImagesKind), string(data))
	if err != nil {
		t.Fatal(err)
	}
	gate := read.Properties["spec"].Properties["gate"]
	if diff := cmp.Diff([]any{"Auto", "Enable", "Disable", "Keep"}, gate.Enum); diff != "" {
		t.Errorf("the words of spec.gate (-want +got):\n%s", diff)
	}
	if gate.Default != "Auto" || gate.Description == "" {
		t.Errorf("spec.gate has the default %v and the description %q", gate.Default, gate.Description)
	}
}
