package workload

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"pgregory.net/rapid"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
)

// lands asks the scheduler's library whether a pod may land on a node.
func lands(spec corev1.PodSpec, n cluster.Node) bool {
	ok, err := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: spec}).Match(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}})
	return err == nil && ok
}

// variants returns the pod once for each of its terms, and whether that one says
// something about the architecture or the name of the node.
func variants(spec corev1.PodSpec) (pods []corev1.PodSpec, constrained, pinned []bool) {
	_, selected := spec.NodeSelector[affinity.ArchLabel]
	if spec.Affinity == nil {
		return []corev1.PodSpec{spec}, []bool{selected}, []bool{false}
	}
	for _, term := range spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		one := spec
		one.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}},
		}}
		pods = append(pods, one)
		named := slices.ContainsFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool { return affinity.IsArch(e.Key) })
		constrained = append(constrained, selected || named || len(term.MatchFields) > 0)
		pinned = append(pinned, len(term.MatchFields) > 0)
	}
	return pods, constrained, pinned
}

// TestPodsLandWhereTheirImagesRun holds what is written against the scheduler's own
// library. Where a pod says nothing about the architecture or the name of its node, it
// may afterwards land on a node exactly if it could before and all its images have the
// node's architecture. Where it says something, that stays, and there is a finding
// exactly if a node that it admits lacks an image, or if no node is left.
func TestPodsLandWhereTheirImagesRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, nodes := drawPod(t), drawNodes(t)
		r := Run{Spec: v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsAffinity}, Nodes: Nodes{Known: nodes}, Answers: map[string]Answer{}}
		proven := arch.NewSet("amd64", "arm64", "s390x")
		for _, c := range before.Containers {
			has := arch.Named(rapid.SliceOfNDistinct(rapid.SampledFrom(drawnArchs), 1, 3, rapid.ID[string]).Draw(t, "has")...)
			r.Answers[c.Image] = Answer{Architectures: has}
			proven = proven.Intersect(has)
		}
		text := podYAML(t, before)
		output, found := treatedText(t, r, text)
		if got, want := strings.Join(errorIDs(found), " "), expected(before, nodes, proven); got != want {
			t.Fatalf("want the errors %q, got %q\n%s\n%v", want, got, text, found)
		}
		if found.Failed() {
			if output != text {
				t.Fatalf("an error changed the pod:\n%s", output)
			}
			return
		}
		after := podFrom(t, output)
		pods, constrained, _ := variants(before)
		for _, n := range nodes {
			want := false
			for i, one := range pods {
				want = want || lands(one, n) && (constrained[i] || proven.Contains(n.Architecture))
			}
			if got := lands(after, n); got != want {
				t.Fatalf("node %v: want %v, got %v\nbefore:\n%s\nafter:\n%s", n, want, got, text, output)
			}
		}
		if again, _ := treatedText(t, r, output); again != output {
			t.Fatalf("a second run changes something:\n%s\n%s", output, again)
		}
	})
}

// expected returns the id of the error that there must be, "" for none.
func expected(spec corev1.PodSpec, nodes []cluster.Node, proven arch.Set) string {
	pods, constrained, pinned := variants(spec)
	left, lacking, known := false, false, false
	for _, n := range nodes {
		known = known || proven.Contains(n.Architecture)
		for i, one := range pods {
			if !lands(one, n) {
				continue
			}
			left = left || constrained[i] || proven.Contains(n.Architecture)
			lacking = lacking || constrained[i] && !proven.Contains(n.Architecture)
		}
	}
	empty := !slices.ContainsFunc(pods, func(p corev1.PodSpec) bool { return p.Affinity == nil || !isEmptyTerm(p) })
	switch {
	case len(proven) == 0:
		return string(finding.NoCommonArch)
	case !slices.Contains(pinned, true) && !empty && (!left || !known):
		return string(finding.NoNodeFits)
	case lacking:
		return string(finding.ConstraintTooWide)
	}
	return ""
}

func isEmptyTerm(p corev1.PodSpec) bool {
	return affinity.IsEmpty(p.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0])
}

func errorIDs(found finding.List) []string {
	var out []string
	for _, f := range found {
		if f.Severity == finding.Error && !slices.Contains(out, string(f.ID)) {
			out = append(out, string(f.ID))
		}
	}
	return out
}

func podYAML(t *rapid.T, spec corev1.PodSpec) string {
	data, err := k8syaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "x"}, "spec": spec})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func podFrom(t *rapid.T, text string) corev1.PodSpec {
	var p corev1.Pod
	if err := k8syaml.UnmarshalStrict([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	return p.Spec
}
