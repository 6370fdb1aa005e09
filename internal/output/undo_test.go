package output

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// TestUndoReadsRecords: the record of an object counts in each form of YAML, and an object
// without a readable one stays as it is.
func TestUndoReadsRecords(t *testing.T) {
	t.Parallel()
	const record = "goldenarch.dev/node-affinity: amd64"
	const pods = `
spec:
  template:
    spec:
      containers: [{name: a, image: a}]
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
`
	const head = "apiVersion: apps/v1\nkind: Deployment\n"
	const csv = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\n"
	for _, tc := range []struct {
		reason, item string
		undone       bool
		want         finding.ID
	}{
		{"as goldenarch writes it", head + "metadata: {name: a, annotations: {" + record + "}}" + pods, true, ""},
		{"annotations from an alias", head + "x: &x {" + record + "}\nmetadata: {name: a, annotations: *x}" + pods, true, ""},
		{"metadata from an alias", head + "x: &x {name: a, annotations: {" + record + "}}\nmetadata: *x" + pods, true, ""},
		{"from a merge key", head + "x: &x {" + record + "}\nmetadata: {name: a, annotations: {<<: *x}}" + pods, true, ""},
		{"no record", head + "metadata: {name: a}" + pods, false, ""},
		{"metadata is a list", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: [a]}]", false, ""},
		{"annotations are a list", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a, annotations: [a]}}]", false, ""},
		{"labels are a list", csv + "metadata: {name: a, labels: [a]}", false, ""},
		{"labels from an alias", csv + "x: &x {operatorframework.io/arch.amd64: supported}\nmetadata: {name: a, labels: *x}", false, finding.UndoNotRecorded},
	} {
		item := yaml.MustParse(tc.item)
		found := Undo([]*yaml.RNode{item}, nil)
		var got finding.ID
		for _, f := range found {
			got = f.ID
		}
		text := item.MustString()
		undone := strings.Contains(tc.item, workload.RecordAnnotation) && !strings.Contains(text, "nodeAffinity")
		if undone != tc.undone || got != tc.want {
			t.Errorf("%s: want undone %t and %q, got %t and %v:\n%s", tc.reason, tc.undone, tc.want, undone, found, text)
		}
	}
}

// TestUndoInText: what a ClusterResourceSet applies is an object of the run, also in a text.
func TestUndoInText(t *testing.T) {
	t.Parallel()
	set := yaml.MustParse("apiVersion: addons.cluster.x-k8s.io/v1beta1\nkind: ClusterResourceSet\nmetadata: {name: s}\n" +
		"spec: {clusterSelector: {}, resources: [{kind: ConfigMap, name: m}]}\n")
	holder := yaml.MustParse(`apiVersion: v1
kind: ConfigMap
metadata: {name: m}
data:
  hco.yaml: |
    apiVersion: hco.kubevirt.io/v1beta1
    kind: HyperConverged
    metadata: {name: kubevirt-hyperconverged} # CR
    spec:
      dataImportCronTemplates:
      - metadata:
          name: a
          annotations:
            ssp.kubevirt.io/dict.architectures: amd64
            goldenarch.dev/claim: amd64
`)
	if found := Undo([]*yaml.RNode{holder, set}, nil); len(found) > 0 {
		t.Error(found)
	}
	if text := holder.MustString(); strings.Contains(text, "dict.architectures") || !strings.Contains(text, "# CR\n") {
		t.Errorf("want the text without the declared architectures, got\n%s", text)
	}
}
