package emit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// TestUpsert: what a template expands to gets its place among the items, and what a user
// wrote stays or is an error.
func TestUpsert(t *testing.T) {
	t.Parallel()
	want := func(size string) expansion.Object {
		return expansion.Object{
			"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataImportCron",
			"metadata": map[string]any{"name": "fedora-arm64", "namespace": "images", "labels": map[string]any{"template.kubevirt.io/architecture": "arm64"}},
			"spec":     map[string]any{"size": size},
		}
	}
	namespace := expansion.Object{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "images"}}
	item := func(file, size string) string {
		note := ""
		if file != "" {
			note = `, annotations: {config.kubernetes.io/path: "` + file + `"}`
		}
		return `{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataImportCron, metadata: {name: fedora-arm64, namespace: images, ` +
			`labels: {template.kubevirt.io/architecture: arm64}` + note + `}, spec: {size: ` + size + `}}`
	}
	const file = "golden-images/dataimportcron-fedora-arm64.yaml"
	for _, tc := range []struct {
		reason string
		items  []string
		wanted []expansion.Object
		out    []string // kind, file and size of each item
		found  string
	}{
		{
			reason: "a user's object in another file stays, and is not removed", items: []string{item("mine.yaml", "one")},
			out: []string{"DataImportCron mine.yaml one"},
		},
		{
			reason: "what a user adds to the Namespace stays", wanted: []expansion.Object{namespace},
			items: []string{`{apiVersion: v1, kind: Namespace, metadata: {name: images, labels: {team: a},
				annotations: {config.kubernetes.io/path: "golden-images/namespace-images.yaml"}}}`},
			out: []string{"Namespace golden-images/namespace-images.yaml "},
		},
		{
			reason: "a Namespace for another cluster is not that of this one", wanted: []expansion.Object{namespace},
			items: []string{`{apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, metadata: {name: a},
				spec: {workload: {manifests: [{apiVersion: v1, kind: Namespace, metadata: {name: images}}]}}}`},
			out: []string{"ManifestWork  ", "Namespace golden-images/namespace-images.yaml "},
		},
		{
			reason: "an object for another cluster is not in the way", wanted: []expansion.Object{want("two")},
			items: []string{`{apiVersion: hive.openshift.io/v1, kind: SyncSet, metadata: {name: a}, spec: {resources: [` + item("", "one") + `]}}`},
			out:   []string{"SyncSet  ", "DataImportCron " + file + " two"},
		},
		{
			reason: "a Namespace that is only for tools goes to no cluster", wanted: []expansion.Object{namespace},
			items: []string{`{apiVersion: v1, kind: Namespace, metadata: {name: images, annotations: {config.kubernetes.io/local-config: "true"}}}`},
			out:   []string{"Namespace  ", "Namespace golden-images/namespace-images.yaml "},
		},
		{
			reason: "neither does one in a List that is", wanted: []expansion.Object{namespace},
			items: []string{`{apiVersion: v1, kind: List, metadata: {annotations: {config.kubernetes.io/local-config: "true"}},
				items: [{apiVersion: v1, kind: Namespace, metadata: {name: images}}]}`},
			out: []string{"List  ", "Namespace golden-images/namespace-images.yaml "},
		},
		{
			reason: "a List in the directory of emitted objects is the user's", wanted: []expansion.Object{want("two")},
			items: []string{`{apiVersion: v1, kind: List, metadata: {name: a, annotations: {config.kubernetes.io/path: golden-images/list-a.yaml}},
				items: [` + item("", "one") + `, {apiVersion: v1, kind: Secret}]}`},
			out: []string{"List golden-images/list-a.yaml ", "DataImportCron " + file + " two"}, found: "in the way",
		},
		{
			reason: "two CRs expand to one object with different content", wanted: []expansion.Object{want("one"), want("two")},
			out: []string{"DataImportCron " + file + " one"}, found: "in the way",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			var items []*yaml.RNode
			for _, text := range tc.items {
				items = append(items, yaml.MustParse(text))
			}
			before := make([]string, len(items))
			for i := range items {
				before[i] = items[i].MustString()
			}
			out, found := upsert(items, tc.wanted)
			var got []string
			for _, one := range out {
				size := ""
				if spec := one.Field("spec"); spec != nil && spec.Value.Field("size") != nil {
					size = spec.Value.Field("size").Value.YNode().Value
				}
				got = append(got, one.GetKind()+" "+one.GetAnnotations()["config.kubernetes.io/path"]+" "+size)
			}
			if diff := cmp.Diff(tc.out, got); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
			for _, f := range found {
				if f.Object.File != "" && f.Line == 0 {
					t.Errorf("no line: %s", f)
				}
			}
			switch {
			case tc.found == "" && len(found) > 0:
				t.Errorf("unexpected: %v", found)
			case tc.found == "in the way" && !found.Failed():
				t.Errorf("want an error, got %v", found)
			case tc.found == "removed" && (len(found) != 1 || found.Failed()):
				t.Errorf("want one finding that is no error, got %v", found)
			}
			for i := range items {
				if after := items[i].MustString(); after != before[i] {
					t.Errorf("the given item changed from %s to %s", before[i], after)
				}
			}
			again, more := upsert(out, tc.wanted)
			if !found.Failed() && (len(again) != len(out) || len(more) > 0) {
				t.Errorf("a second run changes %d items to %d: %v", len(out), len(again), more)
			}
		})
	}
}
