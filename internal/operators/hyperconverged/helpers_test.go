package hyperconverged

import (
	"strings"
	"testing"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// parseYAML reads a CR of a version whose spec is given as YAML.
func parseYAML(t *testing.T, version Version, spec string) (*CR, finding.List) {
	t.Helper()
	data, err := k8syaml.YAMLToJSON([]byte("apiVersion: hco.kubevirt.io/" + string(version) + "\nmetadata: {name: kubevirt-hyperconverged}\nspec: " + spec + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return Parse(data)
}

// mustParse reads a v1beta1 CR with templates given as YAML in one line.
func mustParse(t *testing.T, templates string) *CR {
	t.Helper()
	cr, found := parseYAML(t, V1beta1, "{dataImportCronTemplates: ["+templates+"]}")
	if cr == nil {
		t.Fatalf("the CR cannot be read: %s", found)
	}
	return cr
}

// messages is the findings in short: severity, id and field of each.
func messages(found finding.List) string {
	list := make([]string, len(found))
	for i, f := range found {
		list[i] = string(f.Severity) + " " + string(f.ID) + " " + strings.Replace(f.Field, "spec.dataImportCronTemplates", "", 1)
	}
	return strings.Join(list, ", ")
}

const (
	goodSpec   = `{managedDataSource: d, schedule: "", template: {spec: {source: {registry: {url: "docker://quay.io/acme/app:1"}}}}}`
	fedoraSpec = `{managedDataSource: d, schedule: "", template: {spec: {source: {registry: {url: "docker://quay.io/containerdisks/fedora:latest"}}}}}`
	noSource   = `{managedDataSource: d, schedule: "", template: {spec: {}}}`
	noData     = `{managedDataSource: "", schedule: "", template: {spec: {source: {http: {url: a}}}}}`
)

// named is an entry of this name and spec, in YAML.
func named(name, spec string, notes ...string) string {
	return "{metadata: {name: " + name + ", annotations: {" + strings.Join(notes, ", ") + "}}, spec: " + spec + "}"
}
