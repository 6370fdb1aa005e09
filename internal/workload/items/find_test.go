package items

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
)

const inTextPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME}\nspec:\n  containers:\n  - {name: c, image: a}\n"

// inText returns a ConfigMap with two pods in a text, and the set that applies it.
func inText(strategy string) []*yaml.RNode {
	text := strings.ReplaceAll(inTextPod, "NAME", "p") + "---\n" + strings.ReplaceAll(inTextPod, "NAME", "q")
	return []*yaml.RNode{
		yaml.MustParse("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  x.yaml: |\n    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"),
		yaml.MustParse("apiVersion: addons.cluster.x-k8s.io/v1beta2\nkind: ClusterResourceSet\nmetadata: {name: s}\n" +
			"spec: {strategy: " + strategy + ", resources: [{kind: ConfigMap, name: c}]}\n"),
	}
}

// TestPodsInText: each pod of a text gets its node affinity in the text of the copy. A
// finding about a pod names its line in the file.
func TestPodsInText(t *testing.T) {
	t.Parallel()
	for strategy, want := range map[string]string{
		"Reconcile": "GA720:9 GA717:9 GA720:16 GA717:16",
		"ApplyOnce": "GA720:9 GA717:9 GA832:6 GA720:16 GA717:16 GA832:13",
	} {
		list := inText(strategy)
		run := workload.Run{Spec: v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsAffinity}}
		run.Spec.Default()
		found, wrong := Find(list, nil, run)
		if len(wrong) > 0 || found.Len() != 2 || len(found.Images()) != 1 {
			t.Fatalf("want two pods with one image, got %d: %v", found.Len(), wrong)
		}
		did := found.Treat(map[string]workload.Answer{"a": {Architectures: arch.Named("amd64")}}, nil)
		edited, messages := did.Edited, did.Found
		text := object.NodeAt(edited[list[0]], "data", "x.yaml")
		if text == nil || strings.Count(text.Value, "kubernetes.io/arch") != 2 || strings.Count(text.Value, "containers:\n  - {name: c, image: a}\n") != 2 {
			t.Errorf("%s: the text is %v", strategy, text)
		}
		if original := object.NodeAt(list[0], "data", "x.yaml").Value; strings.Contains(original, "arch") {
			t.Error("the original has changed")
		}
		var got []string
		for _, f := range messages {
			got = append(got, fmt.Sprintf("%s:%d", f.ID, f.Line))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: want %s, got %s", strategy, want, strings.Join(got, " "))
		}
	}
}

// TestAliasesInText: goldenarch decides about a pod in a text with aliases as about one without,
// and says so where the edit would have to change an alias.
func TestAliasesInText(t *testing.T) {
	t.Parallel()
	const text = `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - {name: c, image: a}
  affinity:
    nodeAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 1
        preference: &zone
          matchExpressions:
          - {key: zone, operator: In, values: [x]}
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - *zone
`
	for _, tc := range []struct{ reason, text, want string }{
		{"a term", text, "the alias *zone is where an edit must go"},
		{"the value of a term", strings.NewReplacer("preference: &zone", "preference:", "[x]", "[&x x]",
			"*zone", "matchExpressions: [{key: zone, operator: In, values: [*x]}]").Replace(text), ""},
	} {
		list := inText("Reconcile")
		list[0] = yaml.MustParse("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  x.yaml: |\n    " +
			strings.ReplaceAll(tc.text, "\n", "\n    ") + "\n")
		run := workload.Run{Spec: v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsAffinity}, Nodes: workload.NodesOf(arch.Named("amd64", "arm64"))}
		run.Spec.Default()
		found, wrong := Find(list, nil, run)
		did := found.Treat(map[string]workload.Answer{"a": {Architectures: arch.Named("amd64")}}, nil)
		edited, messages := did.Edited, did.Found
		if len(wrong) > 0 || messages.Failed() != (tc.want != "") || !strings.Contains(messages.String(), tc.want) || strings.Contains(messages.String(), "GA701") {
			t.Errorf("%s: want %q, got %v%v", tc.reason, tc.want, wrong, messages)
		}
		if got := object.NodeAt(edited[list[0]], "data", "x.yaml").Value; tc.want == "" && strings.Count(got, "kubernetes.io/arch") != 1 {
			t.Errorf("%s: got\n%s", tc.reason, got)
		}
	}
}

// TestAdviceForAMergedObject: goldenarch does not edit an object that a policy merges, so it does not advise that either.
func TestAdviceForAMergedObject(t *testing.T) {
	t.Parallel()
	const policy = "apiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\nmetadata: {name: p}\nspec:\n" +
		"  remediationAction: enforce\n  object-templates:\n  - complianceType: COMPLIANCE\n    objectDefinition:\n" +
		"      {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: {containers: [{name: c, image: a}]}}}}\n"
	for compliance, advised := range map[string]bool{"musthave": false, "mustonlyhave": true} {
		run := workload.Run{
			Spec: v1alpha1.WorkloadArchitecturesSpec{Mode: v1alpha1.WorkloadsCheck}, Nodes: workload.NodesOf(arch.Named("amd64", "arm64")),
		}
		list, _ := Find([]*yaml.RNode{yaml.MustParse(strings.Replace(policy, "COMPLIANCE", compliance, 1))}, nil, run)
		found := list.Treat(map[string]workload.Answer{"a": {Architectures: arch.Named("amd64")}}, nil).Found
		if len(found) != 1 || strings.Contains(found[0].Do, "--workloads Affinity") != advised {
			t.Errorf("%s: want advice for the mode: %v, got %v", compliance, advised, found)
		}
	}
}
