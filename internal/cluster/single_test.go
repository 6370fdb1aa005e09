package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

func TestSingleArchitectureAgainstThePlacement(t *testing.T) {
	t.Parallel()
	in := func(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: values}}}
	}
	required := func(terms ...corev1.NodeSelectorTerm) Placement {
		return Placement{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}}
	}
	worker := `node-role.kubernetes.io/worker: ""`
	for _, test := range []struct {
		reason    string
		facts     []string
		placement Placement
		refused   bool
	}{
		{reason: "no placement: one is made", facts: []string{"workload: amd64,arm64"}},
		{
			reason:    "a selector for another architecture leaves no node",
			facts:     []string{"workload: amd64,arm64"},
			placement: Placement{NodeSelector: map[string]string{archLabel: "arm64"}},
			refused:   true,
		},
		{
			reason:    "so does the old label",
			facts:     []string{"workload: amd64,arm64"},
			placement: Placement{NodeSelector: map[string]string{"beta." + archLabel: "arm64"}},
			refused:   true,
		},
		{
			reason:    "a selector for the same one does not",
			facts:     []string{"workload: amd64,arm64"},
			placement: Placement{NodeSelector: map[string]string{archLabel: "amd64"}},
		},
		{
			reason:    "a term that excludes the architecture leaves no node",
			facts:     []string{"workload: amd64,arm64"},
			placement: required(in(archLabel, "NotIn", "amd64")),
			refused:   true,
		},
		{reason: "another term may leave some", facts: []string{"workload: amd64,arm64"}, placement: required(in(archLabel, "NotIn", "amd64"), in("zone", "Exists"))},
		{
			reason:    "a label that is not about architectures says nothing",
			facts:     []string{"workload: amd64,arm64"},
			placement: Placement{NodeSelector: map[string]string{"zone": "a"}},
		},
		{
			reason: "a Node without the label is not selected by it", refused: true,
			facts: []string{node("a", "amd64", worker), node("b", "arm64", worker)},
		},
		{
			reason: "Nodes with the label are",
			facts:  []string{node("a", "amd64", worker+", kubernetes.io/arch: amd64"), node("b", "arm64", worker+", kubernetes.io/arch: arm64")},
		},
		{
			reason: "node groups have the label that every kubelet sets",
			facts:  []string{stated("nodes: [{count: 1, architecture: amd64, labels: {" + worker + "}}, {count: 1, architecture: arm64, labels: {" + worker + "}}]")},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			_, found := Decide(factsOf(t, test.facts...), test.placement, arch.AMD64)
			got := false
			for _, f := range found {
				got = got || f.ID == finding.SingleArchitecture
			}
			if got != test.refused || found.Failed() != test.refused {
				t.Errorf("%s: refused %v, want %v: %v", test.reason, got, test.refused, found)
			}
		})
	}
}
