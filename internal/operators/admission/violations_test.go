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
		{"required keys, each where its parent is there", "", v1beta1, "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {}}, {metadata: {name: b}, spec: {managedDataSource: a, schedule: '', template: {}}}]}", []string{
			"spec.dataImportCronTemplates[0].spec.managedDataSource: is required",
			"spec.dataImportCronTemplates[0].spec.schedule: is required",
			"spec.dataImportCronTemplates[0].spec.template: is required",
			"spec.dataImportCronTemplates[1].spec.template.spec: is required",
		}},
		{"null is absent", "", v1beta1, "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: null, schedule: '', template: {spec: {}}}}]}", []string{"spec.dataImportCronTemplates[0].spec.managedDataSource: is required"}},
		{"a type", "", v1, "spec: {workloadSources: {enableCommonBootImageImport: 1}}", []string{"spec.workloadSources.enableCommonBootImageImport: is a number, must be of type boolean"}},
		{"a list for an object", "", v1, "spec: [a]", []string{"spec: is a list, must be of type object"}},
		{"v1's list in v1beta1", "", v1beta1, "spec: {featureGates: [{name: enableMultiArchBootImageImport}]}", []string{"spec.featureGates: is a list, must be of type object"}},
		{"v1beta1's map in v1", "", v1, "spec: {featureGates: {enableMultiArchBootImageImport: true}}", []string{"spec.featureGates: is an object, must be of type array"}},
		{"a null in a list", "", v1beta1, "spec: {dataImportCronTemplates: [null]}", []string{"spec.dataImportCronTemplates[0]: is null, must be of type object"}},
		{"a value of an enumeration", "", v1, "spec: {featureGates: [{name: downwardMetrics, state: On}]}", []string{"spec.featureGates[0].state: is a boolean, must be of type string"}},
		{"a string of an enumeration", "", v1, "spec: {featureGates: [{name: downwardMetrics, state: enabled}]}", []string{`spec.featureGates[0].state: "enabled" is not supported: expected one of "Enabled", "Disabled"`}},
		{"too many items", "", v1, "spec: {featureGates: [" + strings.Join(many, ", ") + "]}", []string{"spec.featureGates: has 65 items, must have at most 64"}},
		{"a long name", "", v1, "spec: {featureGates: [{name: " + strings.Repeat("ä", 257) + "}]}", []string{"spec.featureGates[0].name: has 257 characters, must have at most 256"}},
		{"characters are counted, not bytes", "", v1, "spec: {featureGates: [{name: " + strings.Repeat("ä", 256) + "}]}", nil},
		{"a name too short", "", v1beta1, "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: d, schedule: '', serviceAccountName: '', template: {spec: {}}}}]}", []string{"spec.dataImportCronTemplates[0].spec.serviceAccountName: must have at least 1 characters"}},
		{"a number too small", "", v1beta1, "spec: {higherWorkloadDensity: {memoryOvercommitPercentage: 9}}", []string{"spec.higherWorkloadDensity.memoryOvercommitPercentage: 9 is too small: must be at least 10"}},
		{"a fraction for an integer", "", v1beta1, "spec: {higherWorkloadDensity: {memoryOvercommitPercentage: 100.5}}", []string{"spec.higherWorkloadDensity.memoryOvercommitPercentage: is a number, must be of type integer"}},
		{"a quantity may be a number", "", v1beta1, "spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: d, schedule: '', template: {spec: {storage: {resources: {requests: {storage: 10}}}}}}}]}", nil},
		{"the same feature gate in two cases", "", v1, "spec: {featureGates: [{name: downwardMetrics}, {name: DownwardMetrics}]}", []string{`spec.featureGates[1].name: "DownwardMetrics" is a duplicate: feature gate names must be unique (case-insensitive)`}},
		{"a key of a list twice", "", v1, "spec: {virtualization: {permittedHostDevices: {pciHostDevices: [{pciDeviceSelector: '10DE:1EB8', resourceName: a}, {pciDeviceSelector: '10DE:1EB8', resourceName: b}]}}}", []string{`spec.virtualization.permittedHostDevices.pciHostDevices[1]: is a duplicate: pciDeviceSelector="10DE:1EB8"`}},
		{"the name of the CR", "", v1, "metadata: {name: hco}", []string{`metadata.name: "hco" must match "kubevirt-hyperconverged"`}},
		{"a version that is not served", "1.17", v1, "spec: {}", []string{"apiVersion: HCO 1.17 does not serve hco.kubevirt.io/v1"}},
		{"it is told beside a denial of the webhook", "", v1, "spec: {featureGates: [{name: enableMultiArchBootImageImport}], workloadSources: {enableMultiArchBootImageImport: false, dataImportCronTemplates: [{metadata: {name: a}, spec: {template: {spec: {}}, schedule: ''}}]}}", []string{"spec.workloadSources.dataImportCronTemplates[0].spec.managedDataSource: is required"}},
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
