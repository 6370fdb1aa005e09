package transformers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

func TestSetGate(t *testing.T) {
	t.Parallel()
	const name = "enableMultiArchBootImageImport"
	sources := func(rest ...string) string { return lines(append([]string{"spec:", "  workloadSources:"}, rest...)...) }
	for _, tc := range []struct {
		reason  string
		version hyperconverged.Version
		gate    Gate
		before  string
		want    string
	}{
		{"a bool is made", hyperconverged.V1beta1, Gate{On: true, Place: GateV1beta1}, "spec: {}\n", lines("spec:", "  featureGates:", "    "+name+": true")},
		{"a bool is made without a spec", hyperconverged.V1beta1, Gate{Place: GateV1beta1}, "kind: HyperConverged\n", lines("kind: HyperConverged", "spec:", "  featureGates:", "    "+name+": false")},
		{"a bool beside others is changed, its comment stays", hyperconverged.V1beta1, Gate{On: true, Place: GateV1beta1}, lines("spec:", "  featureGates:", "    a: true", "    "+name+": false # not yet"), lines("spec:", "  featureGates:", "    a: true", "    "+name+": true # not yet")},
		{"null is filled", hyperconverged.V1beta1, Gate{On: true, Place: GateV1beta1}, lines("spec:", "  featureGates:"), lines("spec:", "  featureGates:", "    "+name+": true")},
		{"a field is made", hyperconverged.V1, Gate{On: true, Place: GateField}, "spec: {}\n", sources("    " + name + ": true")},
		{"the feature gate goes, and its list if nothing is left", hyperconverged.V1, Gate{On: true, Place: GateField}, lines("spec:", "  featureGates:", "  - name: "+name, "  a: b"), lines("spec:", "  a: b", "  workloadSources:", "    "+name+": true")},
		{"other feature gates stay, and the spelling does not matter", hyperconverged.V1, Gate{Place: GateField}, lines("spec:", "  featureGates:", "  - name: a # first", "  - name: ENABLEmultiArchBootImageImport", "  - name: b"), lines("spec:", "  featureGates:", "  - name: a # first", "  - name: b", "  workloadSources:", "    "+name+": false")},
		{"an entry is made", hyperconverged.V1, Gate{On: true, Place: GateList}, "spec: {}\n", lines("spec:", "  featureGates:", "  - name: "+name, "    state: Enabled")},
		{"an entry is appended", hyperconverged.V1, Gate{Place: GateList}, lines("spec:", "  featureGates:", "  - name: a"), lines("spec:", "  featureGates:", "  - name: a", "  - name: "+name, "    state: Disabled")},
		{"an entry is changed, and spelt as 1.18 reads it", hyperconverged.V1, Gate{On: true, Place: GateList}, lines("spec:", "  featureGates:", "  - state: Disabled # off", "    name: EnableMultiArchBootImageImport"), lines("spec:", "  featureGates:", "  - state: Enabled # off", "    name: "+name)},
		{"an entry without a state gets one", hyperconverged.V1, Gate{On: true, Place: GateList}, lines("spec:", "  featureGates:", "  - name: "+name), lines("spec:", "  featureGates:", "  - name: "+name, "    state: Enabled")},
		{"the field goes, which 1.18 prunes", hyperconverged.V1, Gate{On: true, Place: GateList}, sources("    "+name+": true", "    a: b"), sources("    a: b", "  featureGates:", "  - name: "+name, "    state: Enabled")},
		{"a bool is removed, and the gates if nothing is left", hyperconverged.V1beta1, Gate{Place: GateNowhere}, lines("spec:", "  featureGates:", "    "+name+": false", "  a: b"), lines("spec:", "  a: b")},
		{"a bool is removed, and the other gates stay", hyperconverged.V1beta1, Gate{Place: GateNowhere}, lines("spec:", "  featureGates:", "    a: true # a", "    "+name+": false"), lines("spec:", "  featureGates:", "    a: true # a")},
		{"an entry is removed, and the list if nothing is left", hyperconverged.V1, Gate{Place: GateNowhere}, lines("spec:", "  featureGates:", "  - name: "+name, "    state: Disabled", "  a: b"), lines("spec:", "  a: b")},
		{"field and entry are removed", hyperconverged.V1, Gate{Place: GateNowhere}, lines("spec:", "  featureGates:", "  - name: a", "  - name: "+name, "  workloadSources:", "    "+name+": false"), lines("spec:", "  featureGates:", "  - name: a")},
		{"there is nothing to remove", hyperconverged.V1, Gate{Place: GateNowhere}, lines("spec:", "  featureGates: []", "  workloadSources: {}"), lines("spec:", "  featureGates: []", "  workloadSources: {}")},
	} {
		got := edited(t, tc.before, func(n *yaml.RNode) { setGate(n, tc.version.Paths(), tc.gate) })
		if diff := cmp.Diff(normal(t, tc.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
