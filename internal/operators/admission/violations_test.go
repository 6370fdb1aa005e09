package admission

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestSchemaErrors holds what the API server refuses by the CRD.
func TestSchemaErrors(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 65 {
		many = append(many, fmt.Sprintf("{name: g%d}", i))
	}
	for _, tc := range []struct {
		reason  string
		release string
		version hyperconverged.Version
		fields  string
		want    []string
	}{
		{"nothing", "", v1, "spec: {}", nil},
		{
			reason:  "required keys, each where its parent is there",
			version: v1beta1,
			fields: "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {}}, " +
				"{metadata: {name: b}, spec: {managedDataSource: a, schedule: '', template: {}}}]}",
			want: []string{
				"spec.dataImportCronTemplates[0].spec.managedDataSource: is required",
				"spec.dataImportCronTemplates[0].spec.schedule: is required",
				"spec.dataImportCronTemplates[0].spec.template: is required",
				"spec.dataImportCronTemplates[1].spec.template.spec: is required",
			},
		},
		{
			reason:  "null is absent",
			version: v1beta1,
			fields:  "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: null, schedule: '', template: {spec: {}}}}]}",
			want:    []string{"spec.dataImportCronTemplates[0].spec.managedDataSource: is required"},
		},
		{
			reason:  "a type",
			version: v1,
			fields:  "spec: {workloadSources: {enableCommonBootImageImport: 1}}",
			want:    []string{"spec.workloadSources.enableCommonBootImageImport: is a number, must be of type boolean"},
		},
		{"a list for an object", "", v1, "spec: [a]", []string{"spec: is a list, must be of type object"}},
		{
			reason:  "v1's list in v1beta1",
			version: v1beta1,
			fields:  "spec: {featureGates: [{name: enableMultiArchBootImageImport}]}",
			want:    []string{"spec.featureGates: is a list, must be of type object"},
		},
		{
			reason:  "v1beta1's map in v1",
			version: v1,
			fields:  "spec: {featureGates: {enableMultiArchBootImageImport: true}}",
			want:    []string{"spec.featureGates: is an object, must be of type array"},
		},
		{"a null in a list", "", v1beta1, "spec: {dataImportCronTemplates: [null]}", []string{"spec.dataImportCronTemplates[0]: is null, must be of type object"}},
		{
			reason:  "a value of an enumeration",
			version: v1,
			fields:  "spec: {featureGates: [{name: downwardMetrics, state: On}]}",
			want:    []string{"spec.featureGates[0].state: is a boolean, must be of type string"},
		},
		{
			reason:  "a string of an enumeration",
			version: v1,
			fields:  "spec: {featureGates: [{name: downwardMetrics, state: enabled}]}",
			want:    []string{`spec.featureGates[0].state: "enabled" is not supported: expected one of "Enabled", "Disabled"`},
		},
		{"too many items", "", v1, "spec: {featureGates: [" + strings.Join(many, ", ") + "]}", []string{"spec.featureGates: has 65 items, must have at most 64"}},
		{
			reason:  "a long name",
			version: v1,
			fields:  "spec: {featureGates: [{name: " + strings.Repeat("ä", 257) + "}]}",
			want:    []string{"spec.featureGates[0].name: has 257 characters, must have at most 256"},
		},
		{"characters are counted, not bytes", "", v1, "spec: {featureGates: [{name: " + strings.Repeat("ä", 256) + "}]}", nil},
		{
			reason:  "a name too short",
			version: v1beta1,
			fields: "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: d, schedule: '', " +
				"serviceAccountName: '', template: {spec: {}}}}]}",
			want: []string{"spec.dataImportCronTemplates[0].spec.serviceAccountName: must have at least 1 characters"},
		},
		{
			reason:  "a number too small",
			version: v1beta1,
			fields:  "spec: {higherWorkloadDensity: {memoryOvercommitPercentage: 9}}",
			want:    []string{"spec.higherWorkloadDensity.memoryOvercommitPercentage: 9 is too small: must be at least 10"},
		},
		{
			reason:  "a fraction for an integer",
			version: v1beta1,
			fields:  "spec: {higherWorkloadDensity: {memoryOvercommitPercentage: 100.5}}",
			want:    []string{"spec.higherWorkloadDensity.memoryOvercommitPercentage: is a number, must be of type integer"},
		},
		{
			reason:  "a quantity may be a number",
			version: v1beta1,
			fields: "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: d, schedule: '', " +
				"template: {spec: {storage: {resources: {requests: {storage: 10}}}}}}}]}",
		},
		{
			reason:  "the same feature gate in two cases",
			version: v1,
			fields:  "spec: {featureGates: [{name: downwardMetrics}, {name: DownwardMetrics}]}",
			want:    []string{`spec.featureGates[1].name: "DownwardMetrics" is a duplicate: feature gate names must be unique (case-insensitive)`},
		},
		{
			reason:  "a key of a list twice",
			version: v1,
			fields: "spec: {virtualization: {permittedHostDevices: {pciHostDevices: [{pciDeviceSelector: '10DE:1EB8', resourceName: a}, " +
				"{pciDeviceSelector: '10DE:1EB8', resourceName: b}]}}}",
			want: []string{`spec.virtualization.permittedHostDevices.pciHostDevices[1]: is a duplicate: pciDeviceSelector="10DE:1EB8"`},
		},
		{"the name of the CR", "", v1, "metadata: {name: hco}", []string{`metadata.name: "hco" must match "kubevirt-hyperconverged"`}},
		{"a version that is not served", "1.17", v1, "spec: {}", []string{"apiVersion: HCO 1.17 does not serve hco.kubevirt.io/v1"}},
		{
			reason:  "it is told beside a denial of the webhook",
			version: v1,
			fields: "spec: {featureGates: [{name: enableMultiArchBootImageImport}], " +
				"workloadSources: {enableMultiArchBootImageImport: false, dataImportCronTemplates: " +
				"[{metadata: {name: a}, spec: {template: {spec: {}}, schedule: ''}}]}}",
			want: []string{"spec.workloadSources.dataImportCronTemplates[0].spec.managedDataSource: is required"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			got := admit(t, tc.release, tc.version, tc.fields)
			if diff := cmp.Diff(tc.want, got.SchemaErrors); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if (got.Stored != nil) != (len(tc.want) == 0) {
				t.Errorf("%s: stored is %s, the webhooks say %+v", tc.reason, got.Stored, got.Admission)
			}
		})
	}
}
