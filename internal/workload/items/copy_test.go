package items

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

const workloads = `apiVersion: apps/v1
kind: Deployment
metadata: {name: new}
spec: {template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: a}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: narrower, annotations: {example.com/a: b}}
spec:
  template:
    spec:
      containers: [{name: c, image: a}]
      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Exists}]}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: excluded, annotations: {goldenarch.dev/workloads: Check}}
spec: {template: {spec: {containers: [{name: c, image: a}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: right, annotations: {goldenarch.dev/node-affinity: amd64}}
spec:
  containers: [{name: c, image: a}]
  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
    {matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}]}}}
`

// TestCopies: a run keeps copies only of the items that it changes, and a copy has nodes of its own only where the run may edit it.
func TestCopies(t *testing.T) {
	t.Parallel()
	for mode, want := range map[v1alpha1.WorkloadMode][]string{
		v1alpha1.WorkloadsCheck: nil, v1alpha1.WorkloadsAffinity: {"new", "narrower"},
	} {
		var list []*yaml.RNode
		var before []string
		for text := range strings.SplitSeq(workloads, "---\n") {
			list = append(list, yaml.MustParse(text))
			before = append(before, list[len(list)-1].MustString())
		}
		run := workload.Run{Spec: v1alpha1.WorkloadArchitecturesSpec{Mode: mode}}
		run.Spec.Default()
		found, wrong := Find(list, nil, run)
		did := found.Treat(map[string]workload.Answer{"a": {Architectures: arch.Named("amd64")}}, nil)
		if len(wrong) > 0 || found.Len() != len(list) || slices.ContainsFunc(found.list, func(one item) bool { return one.copied != nil }) {
			t.Errorf("%s: want no copies of what is only read, got %d items and %v", mode, found.Len(), wrong)
		}
		var got []string
		for i, one := range list {
			if one.MustString() != before[i] {
				t.Errorf("%s: the item has changed:\n%s", mode, one.MustString())
			}
			edited := did.Edited[one]
			if edited == nil {
				continue
			}
			got = append(got, one.GetName())
			if !strings.Contains(edited.MustString(), "kubernetes.io/arch") {
				t.Errorf("%s: the copy has not changed:\n%s", mode, edited.MustString())
			}
			if shared, own := object.NodeAt(one, "spec", "template", "spec", "containers"), object.NodeAt(edited, "spec", "template", "spec", "containers"); shared != own {
				t.Errorf("%s: the containers of %s are copied, which no run edits", mode, one.GetName())
			}
			if yamlnode.Value(one.YNode(), "metadata") == yamlnode.Value(edited.YNode(), "metadata") {
				t.Errorf("%s: the metadata of %s is shared, which a run edits", mode, one.GetName())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: want copies of %q, got %q", mode, want, got)
		}
	}
}
