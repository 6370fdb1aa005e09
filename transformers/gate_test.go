package transformers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/test/yamlnodetest"
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
		{
			reason:  "a bool is made without a spec",
			version: hyperconverged.V1beta1,
			gate:    Gate{Place: GateV1beta1},
			before:  "kind: HyperConverged\n",
			want:    lines("kind: HyperConverged", "spec:", "  featureGates:", "    "+name+": false"),
		},
		{
			reason:  "a bool beside others is changed, its comment stays",
			version: hyperconverged.V1beta1,
			gate:    Gate{On: true, Place: GateV1beta1},
			before:  lines("spec:", "  featureGates:", "    a: true", "    "+name+": false # not yet"),
			want:    lines("spec:", "  featureGates:", "    a: true", "    "+name+": true # not yet"),
		},
		{
			reason:  "null is filled",
			version: hyperconverged.V1beta1,
			gate:    Gate{On: true, Place: GateV1beta1},
			before:  lines("spec:", "  featureGates:"),
			want:    lines("spec:", "  featureGates:", "    "+name+": true"),
		},
		{"a field is made", hyperconverged.V1, Gate{On: true, Place: GateField}, "spec: {}\n", sources("    " + name + ": true")},
		{
			reason:  "the feature gate goes, and its list if nothing is left",
			version: hyperconverged.V1,
			gate:    Gate{On: true, Place: GateField},
			before:  lines("spec:", "  featureGates:", "  - name: "+name, "  a: b"),
			want:    lines("spec:", "  a: b", "  workloadSources:", "    "+name+": true"),
		},
		{
			reason:  "other feature gates stay, and the spelling does not matter",
			version: hyperconverged.V1,
			gate:    Gate{Place: GateField},
			before:  lines("spec:", "  featureGates:", "  - name: a # first", "  - name: ENABLEmultiArchBootImageImport", "  - name: b"),
			want:    lines("spec:", "  featureGates:", "  - name: a # first", "  - name: b", "  workloadSources:", "    "+name+": false"),
		},
		{
			reason:  "an entry is made",
			version: hyperconverged.V1,
			gate:    Gate{On: true, Place: GateList},
			before:  "spec: {}\n",
			want:    lines("spec:", "  featureGates:", "  - name: "+name, "    state: Enabled"),
		},
		{
			reason:  "an upgrade of HCO left an empty object in the place of the list",
			version: hyperconverged.V1,
			gate:    Gate{On: true, Place: GateList},
			before:  "spec: {featureGates: {}}\n",
			want:    "spec: {featureGates: [{name: " + name + ", state: Enabled}]}\n",
		},
		{
			reason:  "an entry is appended",
			version: hyperconverged.V1,
			gate:    Gate{Place: GateList},
			before:  lines("spec:", "  featureGates:", "  - name: a"),
			want:    lines("spec:", "  featureGates:", "  - name: a", "  - name: "+name, "    state: Disabled"),
		},
		{
			reason:  "an entry is changed, and spelt as 1.18 reads it",
			version: hyperconverged.V1,
			gate:    Gate{On: true, Place: GateList},
			before:  lines("spec:", "  featureGates:", "  - state: Disabled # off", "    name: EnableMultiArchBootImageImport"),
			want:    lines("spec:", "  featureGates:", "  - state: Enabled # off", "    name: "+name),
		},
		{
			reason:  "an entry without a state gets one",
			version: hyperconverged.V1,
			gate:    Gate{On: true, Place: GateList},
			before:  lines("spec:", "  featureGates:", "  - name: "+name),
			want:    lines("spec:", "  featureGates:", "  - name: "+name, "    state: Enabled"),
		},
		{
			reason:  "the field goes, which 1.18 prunes",
			version: hyperconverged.V1,
			gate:    Gate{On: true, Place: GateList},
			before:  sources("    "+name+": true", "    a: b"),
			want:    sources("    a: b", "  featureGates:", "  - name: "+name, "    state: Enabled"),
		},
		{
			reason:  "a bool is removed, and the gates if nothing is left",
			version: hyperconverged.V1beta1,
			gate:    Gate{Place: GateNowhere},
			before:  lines("spec:", "  featureGates:", "    "+name+": false", "  a: b"),
			want:    lines("spec:", "  a: b"),
		},
		{
			reason:  "a bool is removed, and the other gates stay",
			version: hyperconverged.V1beta1,
			gate:    Gate{Place: GateNowhere},
			before:  lines("spec:", "  featureGates:", "    a: true # a", "    "+name+": false"),
			want:    lines("spec:", "  featureGates:", "    a: true # a"),
		},
		{
			reason:  "an entry is removed, and the list if nothing is left",
			version: hyperconverged.V1,
			gate:    Gate{Place: GateNowhere},
			before:  lines("spec:", "  featureGates:", "  - name: "+name, "    state: Disabled", "  a: b"),
			want:    lines("spec:", "  a: b"),
		},
		{
			reason:  "field and entry are removed",
			version: hyperconverged.V1,
			gate:    Gate{Place: GateNowhere},
			before:  lines("spec:", "  featureGates:", "  - name: a", "  - name: "+name, "  workloadSources:", "    "+name+": false"),
			want:    lines("spec:", "  featureGates:", "  - name: a"),
		},
		{
			reason:  "there is nothing to remove",
			version: hyperconverged.V1,
			gate:    Gate{Place: GateNowhere},
			before:  lines("spec:", "  featureGates: []", "  workloadSources: {}"),
			want:    lines("spec:", "  featureGates: []", "  workloadSources: {}"),
		},
	} {
		got := yamlnodetest.Edited(t, tc.before, func(n *yaml.RNode) { setGate(n, tc.version.Paths(), tc.gate) })
		if diff := cmp.Diff(normal(t, tc.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
