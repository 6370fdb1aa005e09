package workload

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

var drawnArchs = []string{"amd64", "arm64", "s390x"}

func drawExpression(t *rapid.T) corev1.NodeSelectorRequirement {
	key := rapid.SampledFrom([]string{"disk", "disk", "zone", "zone", affinity.ArchLabel, affinity.BetaArchLabel}).Draw(t, "key")
	values := []string{"a", "b"}
	if affinity.IsArch(key) {
		values = drawnArchs
	}
	e := corev1.NodeSelectorRequirement{
		Key:      key,
		Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{"In", "In", "NotIn", "Exists", "DoesNotExist"}).Draw(t, "operator"),
	}
	if e.Operator == "In" || e.Operator == "NotIn" {
		e.Values = rapid.SliceOfNDistinct(rapid.SampledFrom(values), 1, len(values), rapid.ID[string]).Draw(t, "values")
	}
	return e
}

func drawTerm(t *rapid.T) corev1.NodeSelectorTerm {
	term := corev1.NodeSelectorTerm{}
	for range rapid.IntRange(0, 2).Draw(t, "expressions") {
		term.MatchExpressions = append(term.MatchExpressions, drawExpression(t))
	}
	if rapid.IntRange(0, 5).Draw(t, "pinned") == 0 {
		term.MatchFields = []corev1.NodeSelectorRequirement{{
			Key:      "metadata.name",
			Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{"In", "In", "NotIn"}).Draw(t, "field operator"),
			Values:   []string{fmt.Sprint("n", rapid.IntRange(0, 3).Draw(t, "name"))},
		}}
	}
	return term
}

func drawPod(t *rapid.T) corev1.PodSpec {
	var spec corev1.PodSpec
	selector := map[string]string{}
	for key, values := range map[string][]string{"disk": {"a", "b"}, "zone": {"a", "b"}, affinity.ArchLabel: drawnArchs} {
		if rapid.IntRange(0, 4).Draw(t, "selects") == 0 {
			selector[key] = rapid.SampledFrom(values).Draw(t, "value")
		}
	}
	if len(selector) > 0 {
		spec.NodeSelector = selector
	}
	if rapid.IntRange(0, 5).Draw(t, "names its node") == 0 {
		spec.NodeName = fmt.Sprint("n", rapid.IntRange(0, 5).Draw(t, "node"))
	}
	if rapid.Bool().Draw(t, "required") {
		var terms []corev1.NodeSelectorTerm
		for range rapid.IntRange(1, 3).Draw(t, "terms") {
			terms = append(terms, drawTerm(t))
		}
		spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "containers") {
		spec.Containers = append(spec.Containers, corev1.Container{Name: fmt.Sprint("c", i), Image: fmt.Sprint("i", i)})
	}
	return spec
}

// drawSelector returns the node selector of a namespace, nil for none.
func drawSelector(t *rapid.T) map[string]string {
	if rapid.IntRange(0, 2).Draw(t, "namespace") > 0 {
		return nil
	}
	key := rapid.SampledFrom([]string{"disk", "zone", affinity.ArchLabel}).Draw(t, "namespace key")
	values := []string{"a", "b"}
	if affinity.IsArch(key) {
		values = drawnArchs
	}
	return map[string]string{key: rapid.SampledFrom(values).Draw(t, "namespace value")}
}

func drawNodes(t *rapid.T) []cluster.Node {
	var out []cluster.Node
	for i := range rapid.IntRange(1, 5).Draw(t, "nodes") {
		labels := map[string]string{}
		for _, key := range []string{"disk", "zone"} {
			if value := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, key); value != "" {
				labels[key] = value
			}
		}
		a := arch.Arch(rapid.SampledFrom(drawnArchs).Draw(t, "architecture"))
		out = append(out, cluster.NodeOf(cluster.Node{Name: fmt.Sprint("n", i), Count: 1, Architecture: a, Labels: labels}))
	}
	return out
}
