package admission

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestFit holds the API server's part: defaults, unknown fields, nulls.
func TestFit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		release string
		version hyperconverged.Version
		fields  string
		path    string
		want    string
	}{
		{"the default of spec, with the defaults of its own fields", "", v1, "status: {}", "spec workloadSources", `{"enableCommonBootImageImport":true}`},
		{"a field that only the fields of a default have", "", v1, "spec: {}", "spec virtualization higherWorkloadDensity", `{"memoryOvercommitPercentage":100}`},
		{"no default under an absent parent", "", v1, "spec: {}", "spec workloadSources", ``},
		{"a default under a parent that is there", "", v1, "spec: {workloadSources: {}}", "spec workloadSources", `{"enableCommonBootImageImport":true}`},
		{"null counts as absent where there is a default", "", v1beta1, "spec: {enableCommonBootImageImport: null}", "spec enableCommonBootImageImport", `true`},
		{"a null object gets its default", "", v1beta1, "spec: null", "spec certConfig ca duration", `"48h0m0s"`},
		{"null goes where there is no default", "", v1beta1, "spec: {commonBootImageNamespace: null}", "spec commonBootImageNamespace", ``},
		{"null stays where it is allowed", "", v1beta1, "spec: {tlsSecurityProfile: {type: Old, old: null}}", "spec tlsSecurityProfile old", `null`},
		{
			reason:  "a null value in a map goes",
			version: v1beta1,
			fields:  "spec: {dataImportCronTemplates: [{metadata: {name: a, labels: {a: null, b: c}}, spec: " + goodSpec + "}]}",
			path:    "spec dataImportCronTemplates 0 metadata labels",
			want:    `{"b":"c"}`,
		},
		{"a value said stays", "", v1beta1, "spec: {enableCommonBootImageImport: false}", "spec enableCommonBootImageImport", `false`},
		{
			reason:  "defaults go into maps of a parent that is said in part",
			version: v1beta1,
			fields:  "spec: {certConfig: {ca: {duration: 72h0m0s}}}",
			path:    "spec certConfig",
			want:    `{"ca":{"duration":"72h0m0s","renewBefore":"24h0m0s"},"server":{"duration":"24h0m0s","renewBefore":"12h0m0s"}}`,
		},
		{"v1beta1's place of the templates is unknown in v1", "", v1, "spec: {dataImportCronTemplates: []}", "spec dataImportCronTemplates", ``},
		{"an unknown field of the object", "", v1, "data: {a: b}", "data", ``},
		{
			reason:  "an unknown field of a template",
			version: v1beta1,
			fields:  "spec: {dataImportCronTemplates: [{name: b, metadata: {name: a}, spec: " + goodSpec + "}]}",
			path:    "spec dataImportCronTemplates 0 name",
		},
		{
			reason:  "of a template's metadata five fields are kept",
			version: v1beta1,
			fields: "spec: {dataImportCronTemplates: [{metadata: {name: a, namespace: ns, finalizers: [f], labels: {l: m}, " +
				"annotations: {cdi.kubevirt.io/storage.bind.immediate.requested: b}, creationTimestamp: null, uid: u, generateName: g}, spec: " +
				goodSpec + "}]}",
			path: "spec dataImportCronTemplates 0 metadata",
			want: `{"annotations":{"cdi.kubevirt.io/storage.bind.immediate.requested":"b"},"finalizers":["f"],"labels":{"l":"m"},"name":"a","namespace":"ns"}`,
		},
		{
			reason:  "of a template's template metadata nothing is kept",
			version: v1beta1,
			fields: `spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: d, schedule: "", ` +
				`template: {metadata: {labels: {a: b}}, spec: {source: {blank: {x: y}}}}}}]}`,
			path: "spec dataImportCronTemplates 0 spec template spec",
			want: `{"source":{"blank":{}}}`,
		},
		{
			reason:  "metadata of the CR is not pruned",
			version: v1,
			fields:  "metadata: {name: kubevirt-hyperconverged, labels: {a: b}, generation: 3}",
			path:    "metadata",
			want:    `{"generation":3,"labels":{"a":"b"},"name":"kubevirt-hyperconverged"}`,
		},
		{
			reason:  "status is kept as it is",
			version: v1,
			fields:  "status: {dataImportSchedule: 1 2 * * *, own: {a: null}}",
			path:    "status",
			want:    `{"dataImportSchedule":"1 2 * * *","own":{"a":null}}`,
		},
		{"numbers stay integers", "", v1, "status: {count: 9007199254740993}", "status count", `9007199254740993`},

		{"the gate has no default from 1.19 on", "1.19", v1beta1, "spec: {}", "spec featureGates enableMultiArchBootImageImport", ``},
		{"the gate's default up to 1.18", "1.18", v1beta1, "spec: {}", "spec featureGates enableMultiArchBootImageImport", `false`},
		{
			reason:  "the gate's default does not win",
			release: "1.16",
			version: v1beta1,
			fields:  "spec: {featureGates: {enableMultiArchBootImageImport: true}}",
			path:    "spec featureGates enableMultiArchBootImageImport",
			want:    `true`,
		},
		{
			reason:  "no gate before 1.16",
			release: "1.15",
			version: v1beta1,
			fields:  "spec: {featureGates: {enableMultiArchBootImageImport: true}}",
			path:    "spec featureGates enableMultiArchBootImageImport",
		},
		{
			reason:  "1.18 has no field in v1",
			release: "1.18",
			version: v1,
			fields:  "spec: {workloadSources: {enableMultiArchBootImageImport: true}}",
			path:    "spec workloadSources",
			want:    `{"enableCommonBootImageImport":true}`,
		},
		{"1.19 has it", "1.19", v1, "spec: {workloadSources: {enableMultiArchBootImageImport: true}}", "spec workloadSources enableMultiArchBootImageImport", `true`},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			if got := at(t, admit(t, tc.release, tc.version, tc.fields), tc.path); got != tc.want {
				t.Errorf("%s: %s is %s, want %s", tc.reason, tc.path, got, tc.want)
			}
		})
	}
}

// TestDefaultsFitTheStructure: what the CRD fills in, it admits and keeps.
func TestDefaultsFitTheStructure(t *testing.T) {
	t.Parallel()
	for _, version := range []hyperconverged.Version{v1, v1beta1} {
		for _, hco := range []string{"", "1.15", "1.18"} {
			crd, err := structureOf(version, release(t, hco))
			if err != nil {
				t.Fatal(err)
			}
			object := map[string]any{}
			crd.fit(object)
			if len(object) != 1 {
				t.Errorf("%s %s: only spec has a default: %v", version, hco, object)
			}
			if diff := cmp.Diff([]string(nil), crd.violations(object, release(t, hco))); diff != "" {
				t.Errorf("%s %s: the defaults are refused:\n%s", version, hco, diff)
			}
			first, _ := json.Marshal(object)
			crd.fit(object)
			if second, _ := json.Marshal(object); string(first) != string(second) {
				t.Errorf("%s %s: the defaults change a second time:\n%s\n%s", version, hco, first, second)
			}
		}
	}
}

// TestTheSharedStructureStaysWhole: an object never takes a default by
// reference.
func TestTheSharedStructureStaysWhole(t *testing.T) {
	t.Parallel()
	crd, err := structureOf(v1, release(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		object := map[string]any{}
		crd.fit(object)
		sources, _ := lookup(object, "spec", "workloadSources").(map[string]any)
		if diff := cmp.Diff(map[string]any{"enableCommonBootImageImport": true}, sources); diff != "" {
			t.Fatalf("a default was changed through an object:\n%s", diff)
		}
		sources["enableCommonBootImageImport"] = false
	}
}
