package argocd

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo/diff"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	jsonpatch "github.com/evanphx/json-patch"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// withPVC returns a DataSource that says which image it has.
func withPVC(t *testing.T, git *unstructured.Unstructured, name string) *unstructured.Unstructured {
	t.Helper()
	out := git.DeepCopy()
	set(t, out.Object, map[string]any{"name": name, "namespace": git.GetNamespace()}, "spec", "source", "pvc")
	return out
}

// synced returns what Argo CD applies on a sync with RespectIgnoreDifferences=true: the
// object of Git, with the ignored fields as they are on the cluster. Argo CD's own code
// normalizes both; the rest are the two merge patches of argo-cd controller/sync.go
// (normalizeTargetResources), which has no patch metadata of custom resources.
func synced(t *testing.T, git, cluster *unstructured.Unstructured, ignored []v1alpha1.ResourceIgnoreDifferences) *unstructured.Unstructured {
	t.Helper()
	config, err := diff.NewDiffConfigBuilder().WithDiffSettings(ignored, nil, true, normalizers.IgnoreNormalizerOpts{}).
		WithTracking("app.kubernetes.io/instance", string(v1alpha1.TrackingMethodAnnotation)).WithNoCache().Build()
	if err != nil {
		t.Fatal(err)
	}
	normalized, err := diff.Normalize([]*unstructured.Unstructured{cluster.DeepCopy()}, []*unstructured.Unstructured{git.DeepCopy()}, config)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := jsonpatch.CreateMergePatch(encoded(t, normalized.Lives[0]), encoded(t, cluster))
	if err != nil {
		t.Fatal(err)
	}
	applied, err := jsonpatch.MergePatch(encoded(t, normalized.Targets[0]), patch)
	if err != nil {
		t.Fatal(err)
	}
	out := &unstructured.Unstructured{}
	if err := json.Unmarshal(applied, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func encoded(t *testing.T, object *unstructured.Unstructured) []byte {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRespectIgnoreDifferences: with that sync option a change in Git of what is ignored,
// or of a list that is ignored in part, never arrives. With what the example ignores all
// changes of a TakeOver Application arrive.
func TestRespectIgnoreDifferences(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(example("application/hyperconverged.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	// A DataSource that SSP makes in any case cannot be taken over (GA505).
	manifest := strings.Replace(string(data), "managedDataSource: fedora\n", "managedDataSource: fedora-of-ours\n", 1)
	objects, err := newRepo(t, map[string]string{"hyperconverged.yaml": manifest}).generate(t.Context(), named(text("expand", "TakeOver")))
	if err != nil {
		t.Fatal(err)
	}
	var reference, filled *unstructured.Unstructured
	for _, one := range objects {
		if one.GetKind() != "DataSource" {
			continue
		}
		if _, points, _ := unstructured.NestedMap(one.Object, "spec", "source", "dataSource"); points {
			reference = one
		} else {
			filled = one
		}
	}
	if reference == nil || filled == nil {
		t.Fatal("TakeOver emits both kinds of DataSources")
	}
	cr := one(t, objects, "HyperConverged")
	moved := cr.DeepCopy()
	list := templates(t, moved)
	set(t, list[0].(map[string]any), "0 1 * * *", "spec", "schedule")
	set(t, moved.Object, list, "spec", "dataImportCronTemplates")
	elsewhere := reference.DeepCopy()
	set(t, elsewhere.Object, "elsewhere", "spec", "source", "dataSource", "name")
	labelled := filled.DeepCopy()
	labels := labelled.GetLabels()
	labels["team"] = "images"
	labelled.SetLabels(labels)

	pointers := func(group, kind string, list ...string) []v1alpha1.ResourceIgnoreDifferences {
		return []v1alpha1.ResourceIgnoreDifferences{{Group: group, Kind: kind, JSONPointers: list}}
	}
	whole := pointers("cdi.kubevirt.io", "DataSource", "/spec/source", "/metadata/labels")
	partOfList := []v1alpha1.ResourceIgnoreDifferences{{
		Group: "hco.kubevirt.io", Kind: "HyperConverged", JQPathExpressions: []string{".spec.dataImportCronTemplates[]?.spec?.template?.status"},
	}}
	example := application(t).Spec.IgnoreDifferences
	for name, tc := range map[string]struct {
		git, cluster *unstructured.Unstructured
		ignored      []v1alpha1.ResourceIgnoreDifferences
		fields       []string // that changed in Git
		arrives      bool
	}{
		"ATemplateWhereAPartOfTheListIsIgnored": {moved, live(t, cr), partOfList, []string{"spec", "dataImportCronTemplates"}, false},
		"ATemplateOfTheExample":                 {moved, live(t, cr), example, []string{"spec", "dataImportCronTemplates"}, true},
		"AReferenceWhereTheSourceIsIgnored":     {elsewhere, reference, whole, []string{"spec", "source"}, false},
		"AReferenceOfTheExample":                {elsewhere, reference, example, []string{"spec", "source"}, true},
		"ALabelWhereLabelsAreIgnored":           {labelled, withPVC(t, filled, "fedora-0123"), whole, []string{"metadata", "labels"}, false},
		"ALabelOfTheExample":                    {labelled, withPVC(t, filled, "fedora-0123"), example, []string{"metadata", "labels"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			applied := synced(t, tc.git, tc.cluster, tc.ignored)
			got, _, _ := unstructured.NestedFieldNoCopy(applied.Object, tc.fields...)
			want, _, _ := unstructured.NestedFieldNoCopy(tc.git.Object, tc.fields...)
			if same := same(t, got, want); same != tc.arrives {
				t.Errorf("the change arrives: %v, want %v: %v", same, tc.arrives, got)
			}
		})
	}
	if got := synced(t, labelled, withPVC(t, filled, "fedora-0123"), example); !same(t, got.Object["spec"], withPVC(t, filled, "fedora-0123").Object["spec"]) {
		t.Errorf("what CDI filled in stays: %v", got.Object["spec"])
	}
}

func same(t *testing.T, a, b any) bool {
	t.Helper()
	first, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(first) == string(second)
}
