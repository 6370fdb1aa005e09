package transformers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/test/yamlnodetest"
)

// affinity is a v1beta1 workload placement with these terms.
func affinity(terms ...string) string {
	return lines(append([]string{
		"spec:", "  workloads:", "    nodePlacement:", "      affinity:", "        nodeAffinity:",
		"          requiredDuringSchedulingIgnoredDuringExecution:", "            nodeSelectorTerms:",
	}, terms...)...)
}

const (
	term = "            - matchExpressions:"
	gpu  = "              - {key: gpu, operator: Exists}"
	only = "              - key: kubernetes.io/arch\n                operator: In\n                values:\n                - amd64"
)

func TestRestrictPlacement(t *testing.T) {
	t.Parallel()
	selected := func(pair string) string {
		return lines("spec:", "  workloads:", "    nodePlacement:", "      nodeSelector: {"+pair+"} # mine")
	}
	below := func(text string) string {
		return lines("      affinity:", "        nodeAffinity:", "          requiredDuringSchedulingIgnoredDuringExecution:",
			"            nodeSelectorTerms:", term, text)
	}
	worker := "              - key: node-role.kubernetes.io/worker\n                operator: Exists\n" + only
	noTerms := strings.TrimSuffix(affinity(), "\n") + " []\n"
	none := lines("spec:", "  workloads:", "    nodePlacement:") + below(worker)
	for _, tc := range []struct{ reason, before, want string }{
		{"a placement replaces the rule of the worker label, so the label is asked for", "spec: {}\n", none},
		{"null is no placement", lines("spec:", "  workloads:"), none},
		{
			reason: "nor is an empty selector",
			before: lines("spec:", "  workloads:", "    nodePlacement:", "      nodeSelector: {}"),
			want:   lines("spec:", "  workloads:", "    nodePlacement:", "      nodeSelector: {}") + below(worker),
		},
		{"a selector replaces that rule already", selected("zone: a"), selected("zone: a") + below(only)},
		{"a selector of the architecture says it all", selected("kubernetes.io/arch: amd64"), selected("kubernetes.io/arch: amd64")},
		{"a selector of another architecture does not", selected("kubernetes.io/arch: arm64"), selected("kubernetes.io/arch: arm64") + below(only)},
		{"the requirement goes into every term: terms are ORed", affinity(term, gpu, term, gpu), affinity(term, gpu, only, term, gpu, only)},
		{"an empty term matches no node, and stays so", affinity("            - {}", term, gpu), affinity("            - {}", term, gpu, only)},
		{
			reason: "so does one with empty lists",
			before: affinity("            - {matchExpressions: [], matchFields: []}"),
			want:   affinity("            - {matchExpressions: [], matchFields: []}"),
		},
		{"an empty list of terms stays: one more would match some nodes", noTerms, noTerms},
		{
			"a term of fields gets expressions", affinity("            - matchFields: [{key: metadata.name, operator: In, values: [a]}]"),
			affinity("            - matchFields: [{key: metadata.name, operator: In, values: [a]}]", "              matchExpressions:", only),
		},
		{
			reason: "a term that says it already stays",
			before: affinity(term, "              - {key: kubernetes.io/arch, operator: In, values: [amd64]}"),
			want:   affinity(term, "              - {key: kubernetes.io/arch, operator: In, values: [amd64]}"),
		},
		{
			reason: "one that allows another architecture as well does not",
			before: affinity(term, "              - {key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}"),
			want:   affinity(term, "              - {key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}", only),
		},
		{
			reason: "nor does one that excludes it",
			before: affinity(term, "              - {key: kubernetes.io/arch, operator: NotIn, values: [amd64]}"),
			want:   affinity(term, "              - {key: kubernetes.io/arch, operator: NotIn, values: [amd64]}", only),
		},
	} {
		got := yamlnodetest.Edited(t, tc.before, func(n *yaml.RNode) {
			restrictPlacement(n, hyperconverged.V1beta1.Paths().Workloads, "amd64")
		})
		if diff := cmp.Diff(normal(t, tc.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestRestrictPlacementV1: v1 keeps it elsewhere, and preferred affinity is
// beside it.
func TestRestrictPlacementV1(t *testing.T) {
	t.Parallel()
	const preferred = "preferredDuringSchedulingIgnoredDuringExecution: []"
	got := yamlnodetest.Edited(t, "spec: {deployment: {nodePlacements: {workload: {affinity: {nodeAffinity: {"+preferred+"}}, nodeSelector: {a: b}}}}}\n",
		func(n *yaml.RNode) { restrictPlacement(n, hyperconverged.V1.Paths().Workloads, "arm64") })
	want := normal(t, "spec: {deployment: {nodePlacements: {workload: {affinity: {nodeAffinity: {"+preferred+
		", requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "+
		"[{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]}]}}}, nodeSelector: {a: b}}}}}\n")
	if diff := cmp.Diff(compact(t, want), compact(t, got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// normal is YAML as kyaml writes it.
func normal(t *testing.T, yamlText string) string {
	t.Helper()
	return yamlnodetest.Text(t, yamlnodetest.Read(t, yamlText))
}

// compact is YAML as JSON, for where the style is not the subject.
func compact(t *testing.T, yamlText string) string {
	t.Helper()
	data, err := yamlnodetest.Read(t, yamlText).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
