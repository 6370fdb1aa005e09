package cluster

import (
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// Few keys and values, so that placements and nodes meet.
var (
	someKey   = rapid.SampledFrom([]string{workerLabel, archLabel, "zone", "vm"})
	someValue = rapid.SampledFrom([]string{"", "a", "5", "x y"}) // the last is no valid value
	someName  = rapid.SampledFrom([]string{"n1", "n2"})
)

func drawPlacement(t *rapid.T) Placement {
	p := Placement{NodeSelector: rapid.MapOfN(someKey, someValue, 0, 2).Draw(t, "nodeSelector")}
	if rapid.Bool().Draw(t, "affinity") {
		terms := rapid.SliceOfN(rapid.Custom(drawTerm), 0, 3).Draw(t, "terms")
		p.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}
	}
	return p
}

func drawTerm(t *rapid.T) corev1.NodeSelectorTerm {
	field := rapid.Custom(func(t *rapid.T) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{
			Key:      rapid.SampledFrom([]string{nameField, "metadata.uid"}).Draw(t, "field"),
			Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{"In", "NotIn", "Exists"}).Draw(t, "operator"),
			Values:   rapid.SliceOfN(someName, 0, 2).Draw(t, "names"),
		}
	})
	label := rapid.Custom(func(t *rapid.T) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{
			Key:      someKey.Draw(t, "key"),
			Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Odd"}).Draw(t, "operator"),
			Values:   rapid.SliceOfN(someValue, 0, 2).Draw(t, "values"),
		}
	})
	return corev1.NodeSelectorTerm{
		MatchExpressions: rapid.SliceOfN(label, 0, 2).Draw(t, "expressions"),
		MatchFields:      rapid.SliceOfN(field, 0, 1).Draw(t, "fields"),
	}
}

// selectedByHCO returns a function that uses HCO's library. The library skips an invalid
// term. A node that no valid term matches does not match.
func selectedByHCO(p Placement) func(Node) bool {
	if !p.selects() {
		return func(n Node) bool { return n.has(workerLabel) }
	}
	affinity := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{
		Spec: corev1.PodSpec{NodeSelector: p.NodeSelector, Affinity: p.Affinity},
	})
	return func(n Node) bool {
		match, err := affinity.Match(kubernetesNode(n.Name, n.Labels))
		return err == nil && match
	}
}

// TestVerdictHoldsWhateverElseIsTrue: no and yes are HCO's own answer for every
// node that the half-known one can be.
func TestVerdictHoldsWhateverElseIsTrue(t *testing.T) {
	t.Parallel()
	var reported [yes + 1]int
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlacement(t)
		known := rapid.MapOfN(someKey, someValue, 0, 2).Draw(t, "labels")
		unknown := rapid.SliceOfDistinct(someKey, rapid.ID[string]).Draw(t, "unknown")
		g := glimpse{Node{Labels: known}, func(label string) bool { return slices.Contains(unknown, label) }}
		whole := Node{Name: someName.Draw(t, "name"), Count: 1, Architecture: arch.AMD64, Labels: maps.Clone(known)}
		for _, key := range unknown {
			if !g.has(key) && rapid.Bool().Draw(t, "has "+key) {
				whole.Labels[key] = someValue.Draw(t, key)
			}
		}
		if rapid.Bool().Draw(t, "named") {
			g.Name = whole.Name
		}
		verdict, ok := p.judge(g), selectedByHCO(p)(whole)
		reported[verdict.certainty]++
		if verdict.certainty == yes && !ok || verdict.certainty == no && ok {
			t.Fatalf("%+v is judged %v, but HCO says %t of %+v", g.Node, verdict, ok, whole)
		}
		if (verdict.certainty == maybe) != (verdict.unknownField != "") {
			t.Fatalf("a doubt, and only a doubt, says what it hangs on: %v", verdict)
		}
		if len(unknown) == 0 && g.Name != "" && verdict.certainty == maybe {
			t.Fatalf("nothing is unknown, and yet: %v", verdict)
		}
	})
	for certainty, n := range reported {
		if n == 0 {
			t.Errorf("no case was judged %d: the test tries too little", certainty)
		}
	}
}

// TestVerdictIsAsCertainAsPossible: what is known decides where it can.
func TestVerdictIsAsCertainAsPossible(t *testing.T) {
	t.Parallel()
	in := func(key string, values ...string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
	}
	affinity := func(terms ...corev1.NodeSelectorTerm) Placement {
		return Placement{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}}
	}
	labels := func(e ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: e}
	}
	for _, tc := range []struct {
		reason    string
		placement Placement
		want      verdict
	}{
		{"nothing is asked, and the worker label is there", Placement{}, verdict{certainty: yes}},
		{"another architecture, whatever the other label", Placement{NodeSelector: map[string]string{archLabel: "arm64", "zone": "a"}}, verdict{certainty: no}},
		{"the right architecture, if the other label is", Placement{NodeSelector: map[string]string{archLabel: "amd64", "zone": "a"}}, verdict{maybe, "zone"}},
		{"one term is enough", affinity(labels(in("zone", "a")), labels(in(archLabel, "amd64"))), verdict{certainty: yes}},
		{"each term must hold as a whole", affinity(labels(in("zone", "a"), in(archLabel, "arm64"))), verdict{certainty: no}},
		{"an invalid term never holds", affinity(labels(in("zone"))), verdict{certainty: no}},
		{"an empty term never holds", affinity(labels()), verdict{certainty: no}},
		{"no term", affinity(), verdict{certainty: no}},
		{"a name", affinity(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{in(nameField, "n1")}}), verdict{maybe, nameField}},
		{
			reason:    "a field that no node has",
			placement: affinity(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{in("metadata.uid", "n1")}}),
			want:      verdict{certainty: no},
		},
	} {
		pool := newNode("", arch.AMD64, map[string]string{workerLabel: ""})
		if got := tc.placement.judge(glimpse{pool, func(string) bool { return true }}); got != tc.want {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
		}
	}
}
