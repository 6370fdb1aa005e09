package emit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// TestCopies: kpt appends what goldenarch emits to a file that already has it, if a selector hid
// the item. One of the copies stays.
func TestCopies(t *testing.T) {
	t.Parallel()
	cron := expansion.Object{
		"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataImportCron", "metadata": map[string]any{"name": "a", "namespace": "images"},
		"spec": map[string]any{"x": "wanted"},
	}
	namespace := expansion.Object{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "images"}}
	at := func(file string) string {
		if file == "" {
			return ""
		}
		return `, annotations: {config.kubernetes.io/path: "` + file + `"}`
	}
	cronIn := func(file, x string) string {
		return `{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataImportCron, metadata: {name: a, namespace: images` + at(file) + `}, spec: {x: ` + x + `}}`
	}
	namespaceIn := func(file, label string) string {
		if label != "" {
			label = ", labels: {" + label + "}"
		}
		return `{apiVersion: v1, kind: Namespace, metadata: {name: images` + label + at(file) + `}}`
	}
	const cronFile, namespaceFile = "golden-images/dataimportcron-a.yaml", "golden-images/namespace-images.yaml"
	for _, tc := range []struct {
		reason string
		items  []string
		want   []int // the indexes of the items that stay
		ids    []finding.ID
		failed bool
	}{
		{
			reason: "what goes to another cluster is no copy", want: []int{0, 1},
			items: []string{
				cronIn(cronFile, "wanted"),
				`{apiVersion: hive.openshift.io/v1, kind: SyncSet, metadata: {name: a}, spec: {resources: [` + cronIn("", "wanted") + `]}}`,
			},
		},
		{
			reason: "objects in two directories are not copies", items: []string{cronIn("a/"+cronFile, "wanted"), cronIn("b/"+cronFile, "wanted")}, want: []int{0, 1},
		},
		{
			reason: "the same additions twice", want: []int{0}, ids: []finding.ID{finding.EmittedDuplicate},
			items: []string{namespaceIn(namespaceFile, "team: a"), namespaceIn(namespaceFile, "team: a")},
		},
		{
			reason: "other objects of the directory are not touched",
			items:  []string{namespaceIn("", ""), `{apiVersion: v1, kind: Role, metadata: {name: x}}`}, want: []int{0, 1},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			var items []*yaml.RNode
			for _, text := range tc.items {
				items = append(items, yaml.MustParse(text))
			}
			out, found := removeCopies(items, map[string]expansion.Object{keyOfObject(cron): cron, keyOfObject(namespace): namespace})
			var got []int
			for i, item := range items {
				for _, kept := range out {
					if kept == item {
						got = append(got, i)
					}
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkFindings(t, found, tc.ids, tc.failed)
		})
	}
}

// checkFindings reports findings that are not those with the ids, or that fail a run or not
// against what is wanted.
func checkFindings(t *testing.T, found finding.List, want []finding.ID, failed bool) {
	t.Helper()
	var ids []finding.ID
	for _, f := range found {
		ids = append(ids, f.ID)
		if f.ID == finding.EmittedDuplicate && f.Line == 0 {
			t.Errorf("no line: %s", f)
		}
	}
	if diff := cmp.Diff(want, ids); diff != "" || found.Failed() != failed {
		t.Errorf("findings (-want +got), failed %t:\n%s", found.Failed(), diff)
	}
}

// TestIsStale: goldenarch removes only what looks like an expansion.
func TestIsStale(t *testing.T) {
	t.Parallel()
	const label = "labels: {template.kubevirt.io/architecture: arm64}"
	for _, tc := range []struct {
		reason, item string
		want         bool
	}{
		{"a cron of an architecture", "{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataImportCron, metadata: {name: a-arm64, " + label + "}}", true},
		{"a cron with another name", "{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataImportCron, metadata: {name: a, " + label + "}}", false},
		{"a cron without the label", "{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataImportCron, metadata: {name: a-arm64}}", false},
		{"a DataSource of an architecture", "{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataSource, metadata: {name: a-arm64, " + label + "}}", true},
		{
			"a default DataSource points at one of an architecture",
			"{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataSource, metadata: {name: a}, spec: {source: {dataSource: {name: a-arm64}}}}", true,
		},
		{"one that points elsewhere", "{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataSource, metadata: {name: a}, spec: {source: {dataSource: {name: b}}}}", false},
		{"another group", "{apiVersion: example.com/v1, kind: DataImportCron, metadata: {name: a-arm64, " + label + "}}", false},
		{"a Namespace, whose images would go", "{apiVersion: v1, kind: Namespace, metadata: {name: a-arm64, " + label + "}}", false},
	} {
		if got := isStale(yaml.MustParse(tc.item)); got != tc.want {
			t.Errorf("%s: got %t", tc.reason, got)
		}
	}
}

// TestRenewed: an object that is emitted again keeps the annotations of the host, and no others.
func TestRenewed(t *testing.T) {
	t.Parallel()
	const notes = `internal.config.kubernetes.io/path: x.yaml, config.kubernetes.io/index: "3", example.com/mine: "1"}`
	for _, tc := range []struct{ reason, metadata string }{
		{"annotations", "{name: a, annotations: {" + notes + "}"},
		{"annotations that are an alias", "{name: a, labels: &l {" + notes + ", annotations: *l}"},
		{"some that a merge key brings", "{name: a, labels: &l {" + notes + ", annotations: {<<: *l}}"},
	} {
		item := yaml.MustParse("{apiVersion: v1, kind: Role, metadata: " + tc.metadata + "}")
		got, err := renewed(item, expansion.Object{"apiVersion": "v1", "kind": "Role", "metadata": map[string]any{"name": "a"}})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"internal.config.kubernetes.io/path": "x.yaml", "config.kubernetes.io/index": "3"}
		if diff := cmp.Diff(want, got.GetAnnotations()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
