package expansion

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	"sigs.k8s.io/randfill"
)

// TestNewObject: an object has what a person would write, and nothing that only
// Go's encoding puts there.
func TestNewObject(t *testing.T) {
	t.Parallel()
	var bare, sized cdiv1.DataImportCronSpec
	bare.Template.Spec.Storage = &cdiv1.StorageSpec{}
	bare.Template.Spec.PVC = &corev1.PersistentVolumeClaimSpec{}
	sized.Template.Spec.Storage = &cdiv1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")},
	}}
	sized.Template.Labels = map[string]string{"a": "b"}
	for _, tc := range []struct {
		reason string
		parts  map[string]any
		want   string
	}{
		{
			reason: "no labels are no field",
			parts:  map[string]any{"metadata": map[string]any{"name": "a", "labels": map[string]string(nil), "annotations": map[string]string{}}},
			want:   `{"metadata":{"name":"a"}}`,
		},
		{"some are", map[string]any{"metadata": map[string]any{"labels": map[string]string{"a": "b"}}}, `{"metadata":{"labels":{"a":"b"}}}`},
		{"empty parts of a spec go", map[string]any{"spec": bare}, `{"spec":{"managedDataSource":"","schedule":"","template":{"spec":{"pvc":{},"storage":{}}}}}`},
		{
			reason: "full ones stay",
			parts:  map[string]any{"spec": sized},
			want: `{"spec":{"managedDataSource":"","schedule":"","template":{"metadata":{"labels":{"a":"b"}},` +
				`"spec":{"storage":{"resources":{"requests":{"storage":"1Gi"}}}}}}}`,
		},
		{"an empty source says that CDI fills it", map[string]any{"spec": map[string]any{"source": map[string]any{}}}, `{"spec":{"source":{}}}`},
	} {
		got, err := json.Marshal(NewObject(tc.parts))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestNewObjectOfAnySpec: there is no specification of a cron that an object cannot hold.
func TestNewObjectOfAnySpec(t *testing.T) {
	t.Parallel()
	fill := randfill.NewWithSeed(1).NilChance(0.3).NumElements(0, 3).MaxDepth(12).Funcs(
		func(q *resource.Quantity, c randfill.Continue) {
			*q = *resource.NewQuantity(c.Int63(), resource.BinarySI)
		},
		func(f *metav1.FieldsV1, _ randfill.Continue) { f.SetRawString(`{"f:a":{}}`) }, // was read from JSON
	)
	for range 1000 {
		var spec cdiv1.DataImportCronSpec
		fill.Fill(&spec)
		if o := NewObject(map[string]any{"spec": spec}); o["spec"] == nil {
			t.Fatalf("the object lost the specification %+v", spec)
		}
	}
}

func TestSortObjects(t *testing.T) {
	t.Parallel()
	at := func(namespace, name string) Object {
		return Object{"metadata": map[string]any{"namespace": namespace, "name": name}}
	}
	var got []string
	for _, o := range SortObjects([]Object{at("b", "a"), at("a", "b"), {}, at("a", "a-amd64"), at("a", "a")}) {
		got = append(got, o.Namespace()+"/"+o.Name())
	}
	if diff := cmp.Diff([]string{"/", "a/a", "a/a-amd64", "a/b", "b/a"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
