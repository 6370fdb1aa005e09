package hyperconverged

import (
	"strings"
	"testing"
)

// TestOperandPatches: a patch of what HCO writes counts where a prediction depends on what it changes. The operation is named.
func TestOperandPatches(t *testing.T) {
	t.Parallel()
	const kubeVirt, cdi = "kubevirt.kubevirt.io/jsonpatch", "containerizeddataimporter.kubevirt.io/jsonpatch"
	const gates = "/spec/configuration/developerConfiguration/featureGates"
	add := func(path, value string) string {
		return `[{"op": "add", "path": "` + path + `", "value": ` + value + `}]`
	}
	const refused = "refused"
	for _, tc := range []struct{ reason, annotation, patch, want string }{
		{
			"a template of SSP",
			SSPPatchAnnotation,
			add("/spec/commonTemplates/dataImportCronTemplates/-", "{}"),
			"add /spec/commonTemplates/dataImportCronTemplates/-",
		},
		{
			"what an image declares", SSPPatchAnnotation,
			`[{"op":"remove","path":"/spec/commonTemplates/dataImportCronTemplates/0/metadata/annotations/ssp.kubevirt.io~1dict.architectures"}]`,
			"remove /spec/commonTemplates/dataImportCronTemplates/0/metadata/annotations/ssp.kubevirt.io~1dict.architectures",
		},
		{"what has the templates", SSPPatchAnnotation, add("/spec/commonTemplates", "{}"), "add /spec/commonTemplates"},
		{
			"the gate",
			SSPPatchAnnotation,
			`[{"op": "replace", "path": "/spec/enableMultipleArchitectures", "value": true}]`,
			"replace /spec/enableMultipleArchitectures",
		},
		{"the architectures", SSPPatchAnnotation, add("/spec/cluster/workloadArchitectures", "[]"), "add /spec/cluster/workloadArchitectures"},
		{"another field of SSP", SSPPatchAnnotation, `[{"op": "replace", "path": "/spec/templateValidator/replicas", "value": 5}]`, ""},
		{"a field with a longer name", SSPPatchAnnotation, add("/spec/clusterName", `"a"`), ""},
		{"the namespace of the templates of machines", SSPPatchAnnotation, add("/spec/commonTemplates/namespace", `"a"`), ""},
		{
			"the second operation",
			SSPPatchAnnotation,
			`[{"op":"add","path":"/spec/x","value":1},{"op":"remove","path":"/spec/cluster"}]`,
			"remove /spec/cluster",
		},
		{"what moves it away", SSPPatchAnnotation, `[{"op":"move","from":"/spec/cluster","path":"/spec/x"}]`, "move /spec/x"},
		{"a test", SSPPatchAnnotation, `[{"op":"test","path":"/spec/templateValidator/replicas","value":2}]`, "test /spec/templateValidator/replicas"},
		{"no operations", SSPPatchAnnotation, "[]", ""},
		{"no patch", SSPPatchAnnotation, "{}", refused},
		{"outside of the spec", SSPPatchAnnotation, add("/metadata/labels/a", `"b"`), refused},
		{"another gate of KubeVirt", kubeVirt, add(gates+"/-", `"VSOCK"`), ""},
		{"the gate that matters", kubeVirt, add(gates+"/-", `"MultiArchitecture"`), "add " + gates + "/-"},
		{"all gates", kubeVirt, `[{"op": "replace", "path": "` + gates + `", "value": []}]`, "replace " + gates},
		{
			"the default architecture", kubeVirt, add("/spec/configuration/architectureConfiguration/defaultArchitecture", `"arm64"`),
			"add /spec/configuration/architectureConfiguration/defaultArchitecture",
		},
		{"the CPU model", kubeVirt, add("/spec/configuration/cpuModel", `"a"`), "add /spec/configuration/cpuModel"},
		{"migrations", kubeVirt, add("/spec/configuration/migrations", `{"allowPostCopy": true}`), ""},
		{"the placement of the importer", cdi, add("/spec/workload/nodeSelector", "{}"), "add /spec/workload/nodeSelector"},
		{"the configuration of CDI", cdi, add("/spec/config/featureGates/-", `"HonorWaitForFirstConsumer"`), ""},
		{"the network addons", "networkaddonsconfigs.kubevirt.io/jsonpatch", "{", ""},
	} {
		cr := &CR{Annotations: map[string]string{tc.annotation: tc.patch}}
		var got []string
		for _, one := range cr.OperandPatches() {
			if one.Annotation != tc.annotation {
				t.Errorf("%s: got %v", tc.reason, one)
			}
			if one.Operation == "" {
				one.Operation = refused
			}
			got = append(got, one.Operation)
		}
		if strings.Join(got, "|") != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
