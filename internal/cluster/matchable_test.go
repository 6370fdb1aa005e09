package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/arch"
)

func required(terms ...corev1.NodeSelectorTerm) Placement {
	return Placement{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
	}}}
}

func expressions(list ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: list}
}

func requirement(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: op, Values: values}
}

func TestMatchable(t *testing.T) {
	t.Parallel()
	zoneB := requirement("zone", "In", "b")
	selected := func(key, value string, p Placement) Placement {
		p.NodeSelector = map[string]string{key: value}
		return p
	}
	for _, tc := range []struct {
		reason    string
		placement Placement
		want      string
	}{
		{"no placement: the worker label may be there", Placement{}, "amd64,arm64,s390x"},
		{"a node selector", selected(archLabel, "amd64", Placement{}), "amd64"},
		{"a node selector on the older label", selected(betaArchLabel, "arm64", Placement{}), "arm64"},
		{"another label may be there", selected("zone", "a", Placement{}), "amd64,arm64,s390x"},
		{"the operating system is not known", selected(osLabel, "windows", Placement{}), "amd64,arm64,s390x"},
		{"a value that is no architecture of these", selected(archLabel, "x86_64", Placement{}), ""},
		{"In", required(expressions(requirement(archLabel, "In", "amd64", "s390x"))), "amd64,s390x"},
		{"NotIn", required(expressions(requirement(archLabel, "NotIn", "arm64"))), "amd64,s390x"},
		{"NotIn on the older label holds where it is absent too", required(expressions(requirement(betaArchLabel, "NotIn", "arm64"))), "amd64,arm64,s390x"},
		{"every kubelet sets the label", required(expressions(requirement(archLabel, "DoesNotExist"))), ""},
		{"not every kubelet sets the older one", required(expressions(requirement(betaArchLabel, "DoesNotExist"))), "amd64,arm64,s390x"},
		{"it may be set as well", required(expressions(requirement(betaArchLabel, "Exists"))), "amd64,arm64,s390x"},
		{"all of a term must hold", required(expressions(zoneB, requirement(archLabel, "In", "arm64"))), "arm64"},
		{"two conditions that exclude each other", required(expressions(requirement(archLabel, "In", "arm64"), requirement(archLabel, "NotIn", "arm64"))), ""},
		{"one term is enough", required(expressions(requirement(archLabel, "In", "arm64")), expressions(zoneB)), "amd64,arm64,s390x"},
		{
			reason:    "terms of two architectures",
			placement: required(expressions(requirement(archLabel, "In", "arm64")), expressions(zoneB, requirement(archLabel, "In", "amd64"))),
			want:      "amd64,arm64",
		},
		{"an invalid term never holds", required(expressions(requirement(archLabel, "In")), expressions(requirement(archLabel, "In", "amd64"))), "amd64"},
		{"no term matches no node", required(), ""},
		{"a node selector and terms must both hold", selected(archLabel, "amd64", required(expressions(requirement(archLabel, "NotIn", "amd64")))), ""},
		{
			reason:    "a name is not known",
			placement: required(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{requirement(nameField, "In", "n1")}}),
			want:      "amd64,arm64,s390x",
		},
		{
			reason: "a preference rules out nothing",
			placement: Placement{
				Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
					{Weight: 1, Preference: expressions(requirement(archLabel, "In", "arm64"))},
				}}},
			},
			want: "amd64,arm64,s390x",
		},
	} {
		stated := arch.NewSet(arch.AMD64, arch.ARM64, arch.S390X)
		matchable, unmatchable := tc.placement.Matchable(stated)
		if matchable.String() != tc.want || !matchable.Union(unmatchable).Equal(stated) || len(matchable)+len(unmatchable) != len(stated) {
			t.Errorf("%s: want %q, got %q without %q", tc.reason, tc.want, matchable, unmatchable)
		}
	}
}

// TestUnmatchableIsNeverSeenByHCO: HCO counts no node of an architecture that a
// placement rules out, whatever labels and name the node has.
func TestUnmatchableIsNeverSeenByHCO(t *testing.T) {
	t.Parallel()
	const architecture = arch.Arch("a") // a value that the placements ask for
	ruledOut := 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlacement(t)
		labels := rapid.MapOfN(someKey, someValue, 0, 3).Draw(t, "labels")
		labels[archLabel] = string(architecture)
		if rapid.Bool().Draw(t, "older label") {
			labels[betaArchLabel] = string(architecture)
		}
		node := Node{Name: someName.Draw(t, "name"), Count: 1, Architecture: architecture, Labels: labels}
		_, unmatchable := p.Matchable(arch.NewSet(architecture))
		ruledOut += len(unmatchable)
		if len(unmatchable) > 0 && selectedByHCO(p)(node) {
			t.Fatalf("ruled out, but HCO counts %+v", node)
		}
	})
	if ruledOut == 0 {
		t.Error("no architecture was ruled out: the test tries too little")
	}
}

// TestStatedArchitecturesMeetThePlacement: whoever states architectures without
// nodes, those that the placement rules out do not count.
func TestStatedArchitecturesMeetThePlacement(t *testing.T) {
	t.Parallel()
	const about = "but the workload placement of the CR (nodeSelector kubernetes.io/arch=amd64) matches no node of "
	for _, d := range []decision{
		{
			reason: "the configuration", facts: []string{"workload: amd64,arm64"}, placement: archLabel + "=amd64", want: "amd64 |  | amd64",
			findings: []string{
				"warning GA310: spec.cluster states that workload nodes have amd64,arm64, " + about +
					"arm64. HCO does not count such nodes, so goldenarch counts only amd64. " +
					"Remove arm64 from spec.cluster (or --workload-architectures), or correct the placement",
			},
		},
		{
			reason: "a ClusterArchitectures", facts: []string{stated("workload: [amd64, arm64, s390x]")}, placement: archLabel + "=amd64", want: "amd64 |  | amd64",
			findings: []string{
				"warning GA310: ClusterArchitectures/prod states that workload nodes have amd64,arm64,s390x, " + about +
					"arm64,s390x. HCO does not count such nodes, so goldenarch counts only amd64. Remove arm64,s390x from ClusterArchitectures/prod, or correct the placement",
			},
		},
		{
			reason: "nothing is left", facts: []string{"workload: arm64"}, placement: archLabel + "=amd64",
			findings: []string{
				"error GA310: spec.cluster states that workload nodes have arm64, " +
					"but the workload placement of the CR (nodeSelector kubernetes.io/arch=amd64) matches no node of these architectures, " +
					"so HCO sees no workload architecture. Correct one of them",
			},
		},
		{
			reason: "what the placement leaves is no disagreement with Nodes", placement: archLabel + "=amd64", want: "amd64 |  | amd64",
			facts: []string{
				"workload: amd64,arm64",
				node("a", "amd64", worker+", kubernetes.io/arch: amd64"),
				node("b", "arm64", worker+", kubernetes.io/arch: arm64"),
			},
			findings: []string{
				"warning GA310: spec.cluster states that workload nodes have amd64,arm64, " + about +
					"arm64. HCO does not count such nodes, so goldenarch counts only amd64. " +
					"Remove arm64 from spec.cluster (or --workload-architectures), or correct the placement",
			},
		},
		{
			reason:    "a single architecture was asked for",
			facts:     []string{"workload: amd64,arm64"},
			placement: archLabel + "=amd64",
			single:    arch.AMD64,
			want:      "amd64 |  | amd64",
		},
		{reason: "a label of another kind", facts: []string{"workload: amd64,arm64"}, placement: zoneA, want: "amd64,arm64 |  | "},
	} {
		t.Run(d.reason, func(t *testing.T) {
			t.Parallel()
			d.check(t)
		})
	}
}

// TestRestrictedPlacementLeavesItsArchitecture: what is restricted to an
// architecture is read as that architecture.
func TestRestrictedPlacementLeavesItsArchitecture(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlacement(t)
		before, _ := p.Matchable(arch.NewSet(arch.AMD64, arch.ARM64))
		after, _ := p.restrictedTo(arch.AMD64).Matchable(arch.NewSet(arch.AMD64, arch.ARM64))
		if diff := cmp.Diff(before.Intersect(arch.NewSet(arch.AMD64)).String(), after.String()); diff != "" {
			t.Fatal(diff)
		}
	})
}
