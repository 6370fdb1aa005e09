package admission

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// TestMutate holds what HCO's mutating webhook adds to an admitted CR.
func TestMutate(t *testing.T) {
	t.Parallel()
	template := func(entry string) string { return "spec: {dataImportCronTemplates: [" + entry + "]}" }
	const bind = `{"cdi.kubevirt.io/storage.bind.immediate.requested":"true"}`
	for _, tc := range []struct {
		reason  string
		release string
		version hyperconverged.Version
		fields  string
		path    string
		want    string
	}{
		{"no annotations", "1.15", v1beta1, template("{metadata: {name: a}, spec: " + goodSpec + "}"), "spec dataImportCronTemplates 0 metadata annotations", bind},
		{
			reason:  "empty annotations",
			version: v1beta1,
			fields:  template("{metadata: {name: a, annotations: {}}, spec: " + goodSpec + "}"),
			path:    "spec dataImportCronTemplates 0 metadata annotations",
			want:    bind,
		},
		{
			reason:  "null annotations",
			version: v1beta1,
			fields:  template("{metadata: {name: a, annotations: null}, spec: " + goodSpec + "}"),
			path:    "spec dataImportCronTemplates 0 metadata annotations",
			want:    bind,
		},
		{
			reason:  "another value is kept",
			version: v1beta1,
			fields:  template("{metadata: {name: a, annotations: {cdi.kubevirt.io/storage.bind.immediate.requested: ''}}, spec: " + goodSpec + "}"),
			path:    "spec dataImportCronTemplates 0 metadata annotations",
			want:    `{"cdi.kubevirt.io/storage.bind.immediate.requested":""}`,
		},
		{
			reason:  "a disabled template too, and no spec is made",
			version: v1beta1,
			fields:  template("{metadata: {name: a, annotations: {dataimportcrontemplate.kubevirt.io/enable: 'false'}}}"),
			path:    "spec dataImportCronTemplates 0",
			want: `{"metadata":{"annotations":{"cdi.kubevirt.io/storage.bind.immediate.requested":"true",` +
				`"dataimportcrontemplate.kubevirt.io/enable":"false"},"name":"a"}}`,
		},
		{
			reason:  "empty metadata is enough",
			version: v1beta1,
			fields:  template("{metadata: {}, spec: " + goodSpec + "}"),
			path:    "spec dataImportCronTemplates 0 metadata",
			want:    `{"annotations":` + bind + `}`,
		},
		{
			reason:  "retentionPolicy from 1.18 on",
			release: "1.18",
			version: v1beta1,
			fields:  template("{metadata: {name: a}, spec: " + goodSpec + "}"),
			path:    "spec dataImportCronTemplates 0 spec retentionPolicy",
			want:    `"None"`,
		},
		{
			reason:  "importsToKeep from 1.18 on",
			release: "1.18",
			version: v1,
			fields:  "spec: {workloadSources: {dataImportCronTemplates: [{metadata: {name: a}, spec: " + goodSpec + "}]}}",
			path:    "spec workloadSources dataImportCronTemplates 0 spec importsToKeep",
			want:    `1`,
		},
		{
			reason:  "no retentionPolicy before",
			release: "1.17",
			version: v1beta1,
			fields:  template("{metadata: {name: a}, spec: " + goodSpec + "}"),
			path:    "spec dataImportCronTemplates 0 spec retentionPolicy",
		},
		{
			reason:  "no importsToKeep before",
			release: "1.17",
			version: v1beta1,
			fields:  template("{metadata: {name: a}, spec: " + goodSpec + "}"),
			path:    "spec dataImportCronTemplates 0 spec importsToKeep",
		},
		{
			reason:  "a value said is kept",
			version: v1beta1,
			fields:  template(`{metadata: {name: a}, spec: {importsToKeep: 0, managedDataSource: d, schedule: "", template: {spec: {}}}}`),
			path:    "spec dataImportCronTemplates 0 spec importsToKeep",
			want:    `0`,
		},
		{"ksmConfiguration in v1beta1", "", v1beta1, "spec: {}", "spec ksmConfiguration", `{}`},
		{"ksmConfiguration in v1", "", v1, "spec: {}", "spec virtualization ksmConfiguration", `{}`},
		{"no ksmConfiguration before 1.17", "1.16", v1beta1, "spec: {}", "spec ksmConfiguration", ``},
		{"ksmConfiguration from 1.17 on", "1.17", v1beta1, "spec: {}", "spec ksmConfiguration", `{}`},
		{
			reason:  "device types under their former name",
			version: v1beta1,
			fields:  "spec: {mediatedDevicesConfiguration: {mediatedDevicesTypes: [a]}}",
			path:    "spec mediatedDevicesConfiguration mediatedDeviceTypes",
			want:    `["a"]`,
		},
		{
			reason:  "device types of nodes",
			version: v1beta1,
			fields:  "spec: {mediatedDevicesConfiguration: {mediatedDeviceTypes: [b], nodeMediatedDeviceTypes: [{nodeSelector: {}, mediatedDevicesTypes: [a]}]}}",
			path:    "spec mediatedDevicesConfiguration nodeMediatedDeviceTypes 0 mediatedDeviceTypes",
			want:    `["a"]`,
		},
		{"a tuning policy that v1 has given up", "", v1, "spec: {virtualization: {tuningPolicy: highBurst}}", "spec virtualization tuningPolicy", ``},

		{
			reason:  "the gate goes to its field",
			release: "1.19",
			version: v1,
			fields:  "spec: {featureGates: [{name: ENABLEmultiarchbootimageimport}], workloadSources: {}}",
			path:    "spec workloadSources enableMultiArchBootImageImport",
			want:    `true`,
		},
		{
			reason:  "the gate off goes to its field",
			version: v1,
			fields:  "spec: {featureGates: [{name: enableMultiArchBootImageImport, state: Disabled}], workloadSources: {}}",
			path:    "spec workloadSources enableMultiArchBootImageImport",
			want:    `false`,
		},
		{
			reason:  "the gate stays in the list",
			version: v1,
			fields:  "spec: {featureGates: [{name: enableMultiArchBootImageImport}], workloadSources: {}}",
			path:    "spec featureGates",
			want:    `[{"name":"enableMultiArchBootImageImport"}]`,
		},
		{
			reason:  "1.18 leaves the gate alone",
			release: "1.18",
			version: v1,
			fields:  "spec: {featureGates: [{name: enableMultiArchBootImageImport}], workloadSources: {}}",
			path:    "spec workloadSources enableMultiArchBootImageImport",
		},
		{
			reason:  "the gate of storage grows the parents of its field",
			version: v1,
			fields:  "spec: {featureGates: [{name: persistentReservation}]}",
			path:    "spec storage",
			want:    `{"persistentReservationConfiguration":{"enabled":true}}`,
		},
		{
			reason:  "the gate of storage finds a parent",
			version: v1,
			fields:  "spec: {featureGates: [{name: persistentReservation}], storage: {vmStateStorageClass: a}}",
			path:    "spec storage",
			want:    `{"persistentReservationConfiguration":{"enabled":true},"vmStateStorageClass":"a"}`,
		},
		{
			reason:  "the gate of mediated devices is the field reversed",
			version: v1,
			fields:  "spec: {featureGates: [{name: disableMDevConfiguration}]}",
			path:    "spec virtualization mediatedDevicesConfiguration",
			want:    `{"enabled":false}`,
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			if got := at(t, admit(t, tc.release, tc.version, tc.fields), tc.path); got != tc.want {
				t.Errorf("%s: %s is %s, want %s", tc.reason, tc.path, got, tc.want)
			}
		})
	}
}

// TestMutatorRefuses holds what does not get past HCO's mutating webhook.
func TestMutatorRefuses(t *testing.T) {
	t.Parallel()
	const gateWarning = "feature gate enableMultiArchBootImageImport is deprecated; " +
		"please use the spec.workloadSources.enableMultiArchBootImageImport field instead"
	for _, tc := range []struct {
		reason   string
		release  string
		version  hyperconverged.Version
		fields   string
		denied   string
		patch    string
		warnings []string
	}{
		{
			reason: "gate and field contradict each other", version: v1,
			fields: "spec: {featureGates: [{name: enableMultiArchBootImageImport, state: Disabled}], workloadSources: {enableMultiArchBootImageImport: true}}",
			denied: "the deprecated enableMultiArchBootImageImport feature gate, " +
				"and spec.workloadSources.enableMultiArchBootImageImport field contradict each other; the feature gate must not be set, " +
				"or should be equal to the field",
		},
		{
			reason: "of two contradictions the first of HCO's table is told, without the warnings", version: v1,
			fields: "spec: {featureGates: [{name: enableMultiArchBootImageImport}, {name: disableMDevConfiguration}], " +
				"virtualization: {mediatedDevicesConfiguration: {enabled: true}}, workloadSources: {enableMultiArchBootImageImport: false}}",
			denied: "the deprecated disableMDevConfiguration feature gate, and spec.virtualization.mediatedDevicesConfiguration.enabled " +
				"field contradict each other; the feature gate must not be set, or should be equal to the negative value of the field",
		},
		{
			reason:  "1.18 has no field to contradict",
			release: "1.18",
			version: v1,
			fields:  "spec: {featureGates: [{name: enableMultiArchBootImageImport, state: Disabled}], workloadSources: {enableMultiArchBootImageImport: true}}",
		},
		{
			reason: "the gate's field has no parent", version: v1, fields: "spec: {featureGates: [{name: enableMultiArchBootImageImport}]}",
			patch:    `add operation does not apply: doc is missing path: "/spec/workloadSources/enableMultiArchBootImageImport": missing value`,
			warnings: []string{gateWarning},
		},
		{
			reason: "a template without metadata is told first", version: v1,
			fields: "spec: {featureGates: [{name: enableMultiArchBootImageImport}], workloadSources: {dataImportCronTemplates: [{metadata: {name: a}, spec: " +
				goodSpec + "}, {spec: " + goodSpec + "}]}}",
			patch:    `add operation does not apply: doc is missing path: "/spec/workloadSources/dataImportCronTemplates/1/metadata/annotations": missing value`,
			warnings: []string{gateWarning},
		},
		{
			reason: "null metadata is none", version: v1beta1, release: "1.15", fields: "spec: {dataImportCronTemplates: [{metadata: null}]}",
			patch: `add operation does not apply: doc is missing path: "/spec/dataImportCronTemplates/0/metadata/annotations": missing value`,
		},
		{
			reason: "a null template is read as an empty one", version: v1beta1, fields: "spec: {dataImportCronTemplates: [null]}",
			patch: `add operation does not apply: doc is missing path: "/spec/dataImportCronTemplates/0/metadata/annotations": missing value`,
		},
		{
			reason: "a live status makes HCO replace what is not there", version: v1beta1, fields: "status: {infrastructureHighlyAvailable: true}",
			patch: "replace operation does not apply: doc is missing key: /spec/evictionStrategy: missing value",
		},
		{
			reason:  "a live status and the strategy said",
			version: v1,
			fields:  "status: {infrastructureHighlyAvailable: true}\nspec: {virtualization: {evictionStrategy: None}}",
		},
		{
			reason:  "a value of another type",
			version: v1,
			fields:  "spec: {workloadSources: {enableCommonBootImageImport: 'yes'}}",
			denied:  "failed to parse the HyperConverged",
		},
		{
			reason:  "an annotation that is no string",
			version: v1beta1,
			fields:  "spec: {dataImportCronTemplates: [{metadata: {name: a, annotations: {a: true}}}]}",
			denied:  "failed to parse the HyperConverged",
		},
		{
			reason:  "a quantity that is none",
			version: v1beta1,
			fields: `spec: {dataImportCronTemplates: [{metadata: {name: a}, spec: {managedDataSource: d, schedule: "", ` +
				`template: {spec: {storage: {resources: {requests: {storage: ten}}}}}}}]}`,
			denied: "failed to parse the HyperConverged",
		},
		{
			reason:  "a duration that is none",
			version: v1,
			fields:  "spec: {security: {certConfig: {ca: {duration: forever}}}}",
			denied:  "failed to parse the HyperConverged",
		},
		{
			reason:  "the mutating webhook takes a bad annotation",
			version: v1beta1,
			fields:  "metadata: {name: kubevirt-hyperconverged, annotations: {hco.kubevirt.io/v1-only-fields: '{'}}",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			got := admit(t, tc.release, tc.version, tc.fields)
			want := Admission{MutatorDenied: tc.denied, PatchError: tc.patch, MutatorWarnings: append([]string{}, tc.warnings...), ValidatorWarnings: []string{}}
			verdict := got.Admission
			if tc.denied == "" && tc.patch == "" { // the validating webhook has its own test
				verdict.ValidatorDenied, verdict.ValidatorWarnings, verdict.Changed = "", []string{}, false
			} else if got.Stored != nil {
				t.Errorf("%s: it is stored", tc.reason)
			}
			if diff := cmp.Diff(want, verdict); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
