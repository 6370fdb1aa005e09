package definition

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
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
	head = "# The function for catalogs and editors (KEP-2906). Made from the Go types of\n# api/v1alpha1 by: go test ./internal/definition -update\n" +
		"# The image is not published yet: docs/kpt.md says how to build one.\n"
	home = "https://github.com/goldenarch/goldenarch"
)

// function is a kind that configures the function, and how a catalog describes it.
type function struct {
	file, kind, description, page string
	tags, examples                []string
}

// functions returns the kinds that configure the function. A definition has one kind, so
// each has a file.
func functions() []function {
	meta := metadata()
	return []function{
		{"krmfunctiondefinition.yaml", v1alpha1.GoldenImagesKind, meta.Description, "configuration.md", meta.Tags, meta.ExamplePackageURLs},
		{
			"krmfunctiondefinition-workloads.yaml", v1alpha1.WorkloadArchitecturesKind,
			"Writes into each pod the node affinity that the architectures of its images need, or checks it.", "workloads.md",
			[]string{"mutator", "validator"},
			[]string{home + "/tree/main/examples/workloads/kpt", home + "/tree/main/examples/workloads/kustomize"},
		},
	}
}

// defaultsOf returns the configuration of a kind that sets nothing, as decoded JSON.
func defaultsOf(t *testing.T, kind string) any {
	t.Helper()
	switch kind {
	case v1alpha1.GoldenImagesKind:
		standard, err := v1alpha1.DecodeGoldenImages(nil)
		if err != nil {
			t.Fatal(err)
		}
		return tree(t, standard)
	case v1alpha1.WorkloadArchitecturesKind:
		var standard v1alpha1.WorkloadArchitectures
		standard.Spec.Default()
		return tree(t, standard)
	}
	return nil
}

func TestDefinitionsAreFresh(t *testing.T) {
	t.Parallel()
	for _, f := range functions() {
		configuration := sources{}.schemaOf(t, kinds[f.kind], defaultsOf(t, f.kind))
		properties := configuration["properties"].(schema)
		properties["apiVersion"] = schema{"type": "string", "enum": []string{v1alpha1.APIVersion}}
		properties["kind"] = schema{"type": "string", "enum": []string{f.kind}}
		got, err := yaml.Marshal(definition(f, configuration))
		if err != nil {
			t.Fatal(err)
		}
		got = append([]byte(head), got...)
		path := filepath.Join(root, f.file)
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
			t.Errorf("%s is not what the types say (-file +types); refresh with: go test ./internal/definition -update\n%s", f.file, diff)
		}
	}
}

func definition(f function, configuration schema) schema {
	meta := metadata()
	return schema{
		"apiVersion": framework.FunctionDefinitionGroupVersion,
		"kind":       framework.FunctionDefinitionKind,
		"metadata": schema{
			"name":        strings.ToLower(f.kind) + "." + v1alpha1.Group,
			"annotations": schema{"config.kubernetes.io/local-config": "true"},
		},
		"spec": schema{
			"group":       v1alpha1.Group,
			"names":       schema{"kind": f.kind},
			"description": f.description,
			"publisher":   "goldenarch",
			"home":        home,
			"tags":        f.tags,
			"versions": []schema{{
				"name":       strings.TrimPrefix(v1alpha1.APIVersion, v1alpha1.Group+"/"),
				"idempotent": true,
				"license":    meta.License,
				"usage":      home + "/blob/main/docs/" + f.page,
				"examples":   f.examples,
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
func TestDefinitionsAreReadByKyaml(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		field    string
		words    []any
		standard string
	}{
		{"gate", []any{"Auto", "Enable", "Disable", "Keep"}, "Auto"},
		{"mode", []any{"Affinity", "Check", "None"}, "Affinity"},
	} {
		f := functions()[0]
		if tc.field == "mode" {
			f = functions()[1]
		}
		data, err := os.ReadFile(filepath.Join(root, f.file))
		if err != nil {
			t.Fatal(err)
		}
		read, err := framework.SchemaFromFunctionDefinition(resid.NewGvk(v1alpha1.Group, "v1alpha1", f.kind), string(data))
		if err != nil {
			t.Fatal(err)
		}
		field := read.Properties["spec"].Properties[tc.field]
		if diff := cmp.Diff(tc.words, field.Enum); diff != "" {
			t.Errorf("%s: the words of spec.%s (-want +got):\n%s", f.file, tc.field, diff)
		}
		if field.Default != tc.standard || field.Description == "" {
			t.Errorf("%s: spec.%s has the default %v and the description %q", f.file, tc.field, field.Default, field.Description)
		}
	}
}
