package admission

import (
	"encoding/json"
	"strings"
	"testing"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// written returns a CR of a version from the YAML of its fields beside
// apiVersion, kind and metadata.name.
func written(t *testing.T, version hyperconverged.Version, fields string) json.RawMessage {
	t.Helper()
	head := "apiVersion: hco.kubevirt.io/" + string(version) + "\nkind: HyperConverged\n"
	if !strings.Contains(fields, "metadata:") || strings.HasPrefix(fields, "spec:") {
		head += "metadata: {name: kubevirt-hyperconverged}\n"
	}
	data, err := k8syaml.YAMLToJSON([]byte(head + fields + "\n"))
	if err != nil {
		t.Fatalf("%v\n%s", err, fields)
	}
	return data
}

func release(t *testing.T, s string) v1alpha1.Release {
	t.Helper()
	r, err := v1alpha1.ParseRelease(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// admit predicts what becomes of a CR with the upstream table.
func admit(t *testing.T, hco string, version hyperconverged.Version, fields string) Result {
	t.Helper()
	result, err := Admit(Input{CR: written(t, version, fields), Table: hyperconverged.Upstream(), Release: release(t, hco)})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// at returns the stored value at a path, as JSON; "" if there is none.
func at(t *testing.T, r Result, path string) string {
	t.Helper()
	if r.Stored == nil {
		t.Fatalf("it is not stored: %+v %v", r.Admission, r.SchemaErrors)
	}
	tree, err := decode(r.Stored)
	if err != nil {
		t.Fatal(err)
	}
	for step := range strings.FieldsSeq(path) {
		if list, ok := tree.([]any); ok && step == "0" && len(list) > 0 {
			tree = list[0]
			continue
		}
		object, _ := tree.(map[string]any)
		value, ok := object[step]
		if !ok {
			return ""
		}
		tree = value
	}
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const (
	v1      = hyperconverged.V1
	v1beta1 = hyperconverged.V1beta1
)

// Specs of templates, in YAML.
const (
	goodSpec   = `{managedDataSource: d, schedule: "", template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}}}}`
	sourceless = `{managedDataSource: d, schedule: "", template: {spec: {}}}`
)
