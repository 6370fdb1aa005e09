package definition

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// schemas is the directory of the JSON schemas, for editors and linters of YAML.
const schemas = "schemas"

// kinds are those that a user writes, or finds in the repository.
var kinds = map[string]reflect.Type{
	v1alpha1.GoldenImagesKind:          reflect.TypeFor[v1alpha1.GoldenImages](),
	v1alpha1.ClusterArchitecturesKind:  reflect.TypeFor[v1alpha1.ClusterArchitectures](),
	v1alpha1.ClusterFactsKind:          reflect.TypeFor[v1alpha1.ClusterFacts](),
	v1alpha1.FleetKind:                 reflect.TypeFor[v1alpha1.Fleet](),
	v1alpha1.ArchitectureLockKind:      reflect.TypeFor[v1alpha1.ArchitectureLock](),
	v1alpha1.WorkloadArchitecturesKind: reflect.TypeFor[v1alpha1.WorkloadArchitectures](),
}

// jsonSchema returns the JSON schema of a kind. The file is named as kubeconform and the
// YAML language server look for it.
func jsonSchema(t *testing.T, kind string) (string, []byte) {
	t.Helper()
	out := sources{}.schemaOf(t, kinds[kind], defaultsOf(t, kind))
	properties := out["properties"].(schema)
	properties["apiVersion"] = schema{"type": "string", "enum": []string{v1alpha1.APIVersion}}
	properties["kind"] = schema{"type": "string", "enum": []string{kind}}
	out["$schema"] = "http://json-schema.org/draft-07/schema#"
	out["title"] = kind + " of " + v1alpha1.APIVersion
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ToLower(kind) + "_v1alpha1.json", append(data, '\n')
}

// TestJSONSchemasAreFresh: the files are what the Go types say.
func TestJSONSchemasAreFresh(t *testing.T) {
	t.Parallel()
	for kind := range kinds {
		name, made := jsonSchema(t, kind)
		holdSchema(t, name, made)
	}
}

// holdSchema holds a file against what the types say; with -update it writes the file.
func holdSchema(t *testing.T, name string, made []byte) {
	t.Helper()
	path := filepath.Join(root, schemas, name)
	if *update {
		if err := os.WriteFile(path, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(made)); diff != "" {
		t.Errorf("%s is not what the types say (-file +types); refresh with: go test ./internal/definition -update\n%s", name, diff)
	}
}

// TestJSONSchemasJudge: every object of ours in the examples is valid, and a slip is not.
func TestJSONSchemasJudge(t *testing.T) {
	t.Parallel()
	validators := map[string]*validate.SchemaValidator{}
	for kind := range kinds {
		_, made := jsonSchema(t, kind)
		var read spec.Schema
		if err := json.Unmarshal(made, &read); err != nil {
			t.Fatal(err)
		}
		validators[kind] = validate.NewSchemaValidator(&read, nil, "", strfmt.Default)
	}
	valid := 0
	err := filepath.WalkDir(filepath.Join(root, "examples"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for document := range strings.SplitSeq(string(data), "\n---\n") {
			var object map[string]any
			if yaml.Unmarshal([]byte(document), &object) != nil || object["apiVersion"] != v1alpha1.APIVersion {
				continue
			}
			kind := object["kind"].(string)
			if result := validators[kind].Validate(object); !result.IsValid() {
				t.Errorf("%s: %v", path, result.Errors)
			}
			valid++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if valid < 10 {
		t.Errorf("only %d objects were judged", valid)
	}
	const head = "apiVersion: goldenarch.dev/v1alpha1\nmetadata: {name: a}\n"
	for _, slip := range []string{
		head + "kind: GoldenImages\nspec: {gaet: Auto}\n",
		head + "kind: GoldenImages\nspec: {gate: Atuo}\n",
		head + "kind: GoldenImages\nspec: {inputs: a.yaml}\n",
		head + "kind: GoldenImages\nspec: {registry: {retries: many}}\n",
		head + "kind: WorkloadArchitectures\nspec: {mode: Write}\n",
		head + "kind: WorkloadArchitectures\nspec: {preferred: [{weight: 1}]}\n",
		head + "kind: WorkloadArchitectures\nspec: {cluster: {}}\n",
		head + "kind: WorkloadArchitectures\nspec: {additionalPaths: [{kind: A, path: spec, shape: pod}]}\n",
		head + "kind: ClusterArchitectures\nspec: {workloads: [amd64]}\n",
		head + "kind: ArchitectureLock\nimages: {}\n",
	} {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(slip), &object); err != nil {
			t.Fatal(err)
		}
		if validators[object["kind"].(string)].Validate(object).IsValid() {
			t.Errorf("is valid for the schema:\n%s", slip)
		}
	}
}
