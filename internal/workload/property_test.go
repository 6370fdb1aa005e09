package workload

import (
	"maps"
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

// lands asks the scheduler's library, which the kubelet uses for a pod that names its node,
// whether a pod may run on a node. added is the node selector of the pod's namespace.
func lands(spec corev1.PodSpec, n cluster.Node, added map[string]string) bool {
	if spec.NodeName != "" && spec.NodeName != n.Name {
		return false
	}
	selector := maps.Clone(added)
	for key, value := range spec.NodeSelector {
		if other, is := selector[key]; is && other != value {
			return false // the admission plugin refuses the pod
		}
		if selector == nil {
			selector = map[string]string{}
		}
		selector[key] = value
	}
	spec.NodeSelector = selector
	ok, err := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: spec}).Match(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}})
	return err == nil && ok
}

// variants returns the pod once for each of its terms, and whether that one lists
// architectures or names a node. Exists and NotIn list none.
func variants(spec corev1.PodSpec) (pods []corev1.PodSpec, constrained []bool) {
	_, selected := spec.NodeSelector[affinity.ArchLabel]
	selected = selected || spec.NodeName != ""
	if spec.Affinity == nil {
		return []corev1.PodSpec{spec}, []bool{selected}
	}
	for _, term := range spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		one := spec
		one.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}},
		}}
		pods = append(pods, one)
		named := slices.ContainsFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool {
			return affinity.IsArch(e.Key) && (e.Operator == "In" || e.Operator == "DoesNotExist")
		})
		constrained = append(constrained, selected || named || len(term.MatchFields) > 0)
	}
	return pods, constrained
}

// TestPodsLandWhereTheirImagesRun holds what is written against the scheduler's own
// library. Where a pod neither lists architectures nor names its node, it
// may afterwards land on a node exactly if it could before and all its images have the
// node's architecture. Where it says something, that stays, and there is a finding
// exactly if a node that it admits lacks an image, or if no node is left.
func TestPodsLandWhereTheirImagesRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, nodes, added := drawPod(t), drawNodes(t), drawSelector(t)
		r := Run{
			Spec:  v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsAffinity},
			Nodes: Nodes{Known: nodes}, Answers: map[string]Answer{}, Selectors: map[string]NodeSelector{"ns": {Labels: added}},
		}
		proven := arch.NewSet("amd64", "arm64", "s390x")
		for _, c := range before.Containers {
			has := arch.Named(rapid.SliceOfNDistinct(rapid.SampledFrom(drawnArchs), 1, 3, rapid.ID[string]).Draw(t, "has")...)
			r.Answers[c.Image] = Answer{Architectures: has}
			proven = proven.Intersect(has)
		}
		text := podYAML(t, before)
		output, found := treatedText(t, r, text)
		if got, want := strings.Join(errorIDs(found), " "), expected(before, nodes, added, proven); got != want {
			t.Fatalf("want the errors %q, got %q\n%s\n%v", want, got, text, found)
		}
		if found.Failed() {
			if output != text {
				t.Fatalf("an error changed the pod:\n%s", output)
			}
			return
		}
		after := podFrom(t, output)
		pods, constrained := variants(before)
		for _, n := range nodes {
			want := false
			for i, one := range pods {
				want = want || lands(one, n, added) && (constrained[i] || proven.Contains(n.Architecture))
			}
			if got := lands(after, n, added); got != want {
				t.Fatalf("node %v: want %v, got %v\nbefore:\n%s\nafter:\n%s", n, want, got, text, output)
			}
		}
		if again, _ := treatedText(t, r, output); again != output {
			t.Fatalf("a second run changes something:\n%s\n%s", output, again)
		}
	})
}

// expected returns the id of the error that there must be, "" for none.
func expected(spec corev1.PodSpec, nodes []cluster.Node, added map[string]string, proven arch.Set) string {
	pods, constrained := variants(spec)
	left, lacking, known := false, false, false
	for _, n := range nodes {
		known = known || proven.Contains(n.Architecture)
		for i, one := range pods {
			if !lands(one, n, added) {
				continue
			}
			left = left || constrained[i] || proven.Contains(n.Architecture)
			lacking = lacking || constrained[i] && !proven.Contains(n.Architecture)
		}
	}
	switch {
	case len(proven) == 0:
		return string(finding.NoCommonArch)
	case !left, !known && spec.NodeName == "":
		return string(finding.NoNodeFits)
	case lacking:
		return string(finding.ConstraintTooWide)
	}
	return ""
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
	data, err := k8syaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "x", "namespace": "ns"}, "spec": spec})
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
