package crd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"

	// The module is pinned by this import; its source is what is read.
	_ "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

const cdi = "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

// kind is what an API server does with the objects of a kind.
type kind struct {
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
}

// check returns what an API server refuses of an object, or would prune.
func (k kind) check(object map[string]any) []string {
	var out []string
	for _, err := range validation.ValidateCustomResource(nil, object, k.validator) {
		out = append(out, err.Error())
	}
	pruned := pruning.PruneWithOptions(object, k.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	for _, path := range pruned {
		out = append(out, "pruned: "+path)
	}
	return out
}

// kinds generates the CRDs from the Go types.
func kinds(t *testing.T) map[string]kind {
	t.Helper()
	roots, err := loader.LoadRoots(cdi)
	if err != nil || len(roots) != 1 {
		t.Fatalf("load %s: %d packages, %v", cdi, len(roots), err)
	}
	parser := &crd.Parser{Collector: &markers.Collector{Registry: &markers.Registry{}}, Checker: &loader.TypeChecker{}}
	crd.AddKnownTypes(parser)
	if err := crdmarkers.Register(parser.Collector.Registry); err != nil {
		t.Fatal(err)
	}
	parser.NeedPackage(roots[0])
	parser.GroupVersions[roots[0]] = schema.GroupVersion{Group: "cdi.kubevirt.io", Version: "v1beta1"}
	out := map[string]kind{}
	for _, name := range []string{"DataImportCron", "DataSource"} {
		at := schema.GroupKind{Group: "cdi.kubevirt.io", Kind: name}
		parser.NeedCRDFor(at, nil)
		out[name] = kindOf(t, parser.CustomResourceDefinitions[at])
	}
	return out
}

func kindOf(t *testing.T, definition apiextensionsv1.CustomResourceDefinition) kind {
	t.Helper()
	if len(definition.Spec.Versions) != 1 {
		t.Fatalf("%s: want one version, got %d", definition.Name, len(definition.Spec.Versions))
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(definition.Spec.Versions[0].Schema.OpenAPIV3Schema,
		&internal, nil); err != nil {
		t.Fatal(err)
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		t.Fatal(err)
	}
	return kind{structural: structural, validator: validator}
}

// TestEmittedObjects: an API server with CDI's CRDs takes every object of the
// golden directories, and drops nothing of it.
func TestEmittedObjects(t *testing.T) {
	t.Parallel()
	all := kinds(t)
	files, err := filepath.Glob("../../fn/testdata/golden/expand-*/expected.yaml")
	if err != nil || len(files) < 20 {
		t.Fatalf("want at least 20 golden directories, got %d (%v)", len(files), err)
	}
	seen := map[string]int{}
	for _, file := range files {
		for _, object := range objects(t, file) {
			name, _ := object["kind"].(string)
			k, ok := all[name]
			if !ok {
				continue
			}
			seen[name]++
			for _, problem := range k.check(object) {
				t.Errorf("%s: %s %v: %s", file, name, object["metadata"], problem)
			}
		}
	}
	for name := range all {
		if seen[name] < 10 {
			t.Errorf("only %d objects of kind %s were checked", seen[name], name)
		}
	}
}

// TestTheCheckCanFail: what CDI's types do not have is pruned, what they require
// is missed, and what is of another type is refused.
func TestTheCheckCanFail(t *testing.T) {
	t.Parallel()
	all := kinds(t)
	const cron = `{spec: {managedDataSource: app, schedule: "", template: {spec: {}}}}`
	for _, tc := range []struct{ reason, kind, object, want string }{
		{"as it should be", "DataImportCron", cron, ""},
		{"a required field", "DataImportCron", strings.Replace(cron, `schedule: "", `, "", 1), "spec.schedule: Required value"},
		{"another type", "DataImportCron", strings.Replace(cron, "app", "[app]", 1), "spec.managedDataSource: Invalid value"},
		{"an unknown field", "DataImportCron", strings.Replace(cron, "managed", "architectures: amd64, managed", 1), "pruned: spec.architectures"},
		{"a reference without its namespace", "DataSource", `{spec: {source: {dataSource: {name: a}}}}`, "spec.source.dataSource.namespace: Required value"},
	} {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(tc.object), &object); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(all[tc.kind].check(object), "\n")
		if !strings.HasPrefix(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// objects returns the documents of a file.
func objects(t *testing.T, file string) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for document := range strings.SplitSeq(string(data), "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		out = append(out, object)
	}
	return out
}
