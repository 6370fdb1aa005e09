package cluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// TestNarrows: what HCO computed with one placement counts for another one only if
// that selects no other nodes.
func TestNarrows(t *testing.T) {
	t.Parallel()
	type requirements = []corev1.NodeSelectorRequirement
	in := func(key string, values ...string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
	}
	not := func(key string, values ...string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpNotIn, Values: values}
	}
	with := func(terms ...requirements) Placement {
		selector := &corev1.NodeSelector{}
		for _, term := range terms {
			selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, corev1.NodeSelectorTerm{MatchExpressions: term})
		}
		return Placement{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: selector}}}
	}
	labels := func(pairs ...string) Placement {
		p := Placement{NodeSelector: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			p.NodeSelector[pairs[i]] = pairs[i+1]
		}
		return p
	}
	none := Placement{}
	for _, tc := range []struct {
		reason     string
		git, live  Placement
		same, want bool
	}{
		{"neither selects", none, none, true, true},
		{"the same labels", labels("a", "1"), labels("a", "1"), true, true},
		{"a label more", labels("a", "1", "b", "2"), labels("a", "1"), false, true},
		{"a label less", labels("a", "1"), labels("a", "1", "b", "2"), false, false},
		{"another value", labels("a", "2"), labels("a", "1"), false, false},
		{"nothing where there was something", none, labels("a", "1"), false, false},
		{"workers of one architecture", labels(archLabel, "amd64"), none, false, true},
		{"an architecture that only the control plane has", labels(archLabel, "s390x"), none, false, false},
		{"a label that nodes beside the workers may have", labels("a", "1"), none, false, false},
		{"workers with a label", labels("a", "1", workerLabel, ""), none, false, true},
		{"a term for the label", with(requirements{in("a", "1")}), labels("a", "1"), false, true},
		{"fewer values", with(requirements{in("a", "1")}), with(requirements{in("a", "1", "2")}), false, true},
		{"more values", with(requirements{in("a", "1", "2")}), with(requirements{in("a", "1")}), false, false},
		{"more values left out", with(requirements{not("a", "1", "2")}), with(requirements{not("a", "1")}), false, true},
		{"fewer values left out", with(requirements{not("a", "1")}), with(requirements{not("a", "1", "2")}), false, false},
		{"one of two terms", with(requirements{in("a", "1")}), with(requirements{in("a", "1")}, requirements{in("b", "1")}), false, true},
		{"a term more", with(requirements{in("a", "1")}, requirements{in("b", "1")}), with(requirements{in("a", "1")}), false, false},
		{"an expression more", with(requirements{in("a", "1"), in("b", "1")}), with(requirements{in("a", "1")}), false, true},
	} {
		workload, has := arch.NewSet("amd64", "arm64"), arch.NewSet("amd64", "arm64", "s390x")
		if got := tc.git.SameNodes(tc.live); got != tc.same {
			t.Errorf("%s: same nodes: want %v, got %v", tc.reason, tc.same, got)
		}
		if got := tc.git.Narrows(tc.live, workload, has); got != tc.want {
			t.Errorf("%s: narrows: want %v, got %v", tc.reason, tc.want, got)
		}
	}
}
