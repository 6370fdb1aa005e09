package admission

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestReleases holds the embedded data against what the code expects of it: the
// versions that each release serves, and in each the parts that rules name.
func TestReleases(t *testing.T) {
	t.Parallel()
	c := load()
	got := map[string][]string{}
	for _, name := range names() {
		if release, version, ok := strings.Cut(name, "/"); ok {
			got[release] = append(got[release], version)
		}
	}
	want := map[string][]string{
		"1.16": {"v1beta1"}, "1.17": {"v1beta1"}, "1.18": {"v1", "v1beta1"}, "1.19": {"v1", "v1beta1"}, "1.20": {"v1", "v1beta1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the releases and what they serve (-want +got):\n%s", diff)
	}
	if n := newestKnown - oldestKnown + 1; n != len(want) {
		t.Errorf("goldenarch is verified with %d releases that have a CRD, and crd.txt has %d", n, len(want))
	}
	for minor := oldestKnown; minor <= newestKnown; minor++ {
		for _, version := range []hyperconverged.Version{v1beta1, v1} {
			declared := release(t, fmt.Sprintf("1.%d", minor))
			root := c.at(minor, version)
			if (root != nil) != version.Serves(declared) {
				t.Errorf("%s %s: it is here %t, and served %t", declared, version, root != nil, version.Serves(declared))
			}
			if root == nil {
				continue
			}
			if !root.child("metadata").keep || !root.child("status").keep || root.child("spec").keep {
				t.Errorf("%s %s: metadata and status are taken as they are, and only they", declared, version)
			}
			paths := version.Paths()
			known := []hyperconverged.Path{paths.Templates, paths.CommonImport, paths.BootNamespace, paths.FeatureGates, paths.Workloads, paths.Infra}
			if version == v1beta1 {
				known = append(known, paths.FeatureGates.Child(hyperconverged.GateName))
			}
			for _, path := range known {
				if root.find(path...) == nil {
					t.Errorf("%s %s has no %s", declared, version, path)
				}
			}
		}
	}
}

// TestEveryPartIsRead: parts are read when a CR has them, so only a test sees all of them.
func TestEveryPartIsRead(t *testing.T) {
	t.Parallel()
	c := load()
	seen := map[*structure]bool{}
	var visit func(*structure)
	visit = func(s *structure) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		if s.Default != nil {
			s.fallback()
		}
		if s.Pattern != "" {
			s.pattern()
		}
		visit(s.element())
		visit(c.structure(s.Values))
		for key := range s.Properties {
			if s.child(key) == nil {
				t.Errorf("the field %q refers to nothing", key)
			}
			visit(s.child(key))
		}
	}
	lines := names()
	for _, name := range lines {
		visit(c.line(name))
	}
	if len(seen) < 2*len(lines) {
		t.Errorf("%d parts were read for %d lines", len(seen), len(lines))
	}
}

// names returns the names of all lines.
func names() []string {
	var out []string
	for line := range strings.Lines(crdText) {
		if name, _, _ := strings.Cut(line, " "); name != "#" {
			out = append(out, name)
		}
	}
	return out
}

// TestEveryDefinitionIsUsed: nothing is in the data that no release has.
func TestEveryDefinitionIsUsed(t *testing.T) {
	t.Parallel()
	for _, name := range names() {
		if !strings.Contains(name, "/") && !strings.Contains(crdText, fmt.Sprintf(`{"$ref":%q}`, name)) {
			t.Errorf("nothing refers to %q", name)
		}
	}
}

// TestEachReleasePrunesItsOwn: a field goes where the release's CRD lacks it, and
// stays where it has it.
func TestEachReleasePrunesItsOwn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		version hyperconverged.Version
		fields  string
		path    string
		first   int // release that has it
	}{
		{
			reason:  "a setting that came with 1.17",
			version: v1beta1,
			fields:  "spec: {kubeMacPoolConfiguration: {rangeStart: '02:00:00:00:00:00'}}",
			path:    "spec kubeMacPoolConfiguration rangeStart",
			first:   17,
		},
		{"a feature gate that came with 1.17", v1beta1, "spec: {featureGates: {videoConfig: true}}", "spec featureGates videoConfig", 17},
		{"a setting that came with 1.18", v1beta1, "spec: {roleAggregationStrategy: Manual}", "spec roleAggregationStrategy", 18},
		{
			reason:  "a field of a template that came with 1.17",
			version: v1beta1,
			fields: "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {serviceAccountName: sa, managedDataSource: d, " +
				"schedule: '', template: {spec: {source: {registry: {url: 'docker://a/b'}}}}}}]}",
			path:  "spec dataImportCronTemplates 0 spec serviceAccountName",
			first: 17,
		},
		{
			reason:  "a setting that came with 1.19",
			version: v1beta1,
			fields:  "spec: {liveMigrationConfig: {allowWorkloadDisruption: true}}",
			path:    "spec liveMigrationConfig allowWorkloadDisruption",
			first:   19,
		},
		{
			reason:  "the same in v1",
			version: v1,
			fields:  "spec: {virtualization: {liveMigrationConfig: {allowWorkloadDisruption: true}}}",
			path:    "spec virtualization liveMigrationConfig allowWorkloadDisruption",
			first:   19,
		},
		{"a part of v1 that came with 1.19", v1, "spec: {observability: {allowedAlerts: [a]}}", "spec observability allowedAlerts", 19},
		{"the gate's field of v1", v1, "spec: {workloadSources: {enableMultiArchBootImageImport: false}}", "spec workloadSources enableMultiArchBootImageImport", 19},
	} {
		for minor := oldestKnown; minor <= newestKnown; minor++ {
			declared := fmt.Sprintf("1.%d", minor)
			if !tc.version.Serves(release(t, declared)) {
				continue
			}
			if got := at(t, admit(t, declared, tc.version, tc.fields), tc.path) != ""; got != (minor >= tc.first) {
				t.Errorf("%s: HCO %s keeps it: %t, it is there from 1.%d on", tc.reason, declared, got, tc.first)
			}
		}
		if at(t, admit(t, "", tc.version, tc.fields), tc.path) == "" {
			t.Errorf("%s: an undeclared release is the newest, which has it", tc.reason)
		}
	}
}

// everything returns a value that has each field of a structure.
func everything(s *structure) any {
	switch {
	case s.IntOrString:
		return "1"
	case s.Items != nil:
		return []any{everything(s.element())}
	case len(s.Properties) > 0:
		out := map[string]any{}
		for key := range s.Properties {
			out[key] = everything(s.child(key))
		}
		return out
	case s.Type == "integer", s.Type == "number":
		return 1
	case s.Type == "boolean":
		return true
	case s.Type == "object":
		return map[string]any{}
	default:
		return "2026-01-01T00:00:00Z" // which is also right for a time
	}
}

// TestTypesHaveTheFieldsOfTheCRD: the Go types of a template have each field that the newest CRD has.
// A field that they lack would be reported as unknown, and missing in predictions.
func TestTypesHaveTheFieldsOfTheCRD(t *testing.T) {
	t.Parallel()
	root, err := structureOf(hyperconverged.V1beta1, v1alpha1.Release{})
	if err != nil {
		t.Fatal(err)
	}
	template := everything(root.find("spec", "dataImportCronTemplates").element())
	data, err := json.Marshal(map[string]any{
		"apiVersion": "hco.kubevirt.io/v1beta1", "kind": "HyperConverged", "metadata": map[string]any{"name": "kubevirt-hyperconverged"},
		"spec": map[string]any{"dataImportCronTemplates": []any{template}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if cr, found := hyperconverged.Parse(data); cr == nil || len(found) > 0 {
		t.Errorf("want no finding, got %v", found)
	}
}
