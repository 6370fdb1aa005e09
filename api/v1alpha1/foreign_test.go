package v1alpha1

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/shape"
)

// sampleSpec has each kind of Go type that CDI's spec has: structs, maps, lists, pointers,
// numbers, and types that decode themselves.
const sampleSpec = `{"managedDataSource":"d","schedule":"@daily","importsToKeep":3,"garbageCollect":"Outdated","template":{
	"metadata":{"name":"x","labels":{"a.b/c":"d","app":"x"},"creationTimestamp":"2024-01-01T00:00:00Z","generation":1,"finalizers":["f"],
		"ownerReferences":[{"name":"o","controller":true}]},
	"spec":{"preallocation":true,"priorityClassName":"p","source":{"registry":{"url":"docker://a","pullMethod":"node"}},
		"storage":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"10Gi"}},"selector":{"matchExpressions":[{"key":"k","values":["v"]}]}}}}}`

// TestForeignMisfits puts each kind of value at each place of a spec of CDI, and holds what
// is reported against the package that does the same for the CR.
func TestForeignMisfits(t *testing.T) {
	t.Parallel()
	tried, wrong := 0, 0
	for _, bad := range []any{true, "text", 1.5, -7.0, []any{}, []any{"a", 1.0}, map[string]any{}, map[string]any{"a": "b", "storage": true}, nil} {
		root := object(t, sampleSpec)
		for _, place := range placesIn(root) {
			old := place.get()
			place.set(bad)
			data, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			for _, one := range misfitsOf("spec", root, reflect.TypeFor[cdiv1.DataImportCronSpec]()) {
				got = append(got, one.Path+" "+one.Text)
			}
			for _, fault := range shape.Faults("spec", data, &cdiv1.DataImportCronSpec{}) {
				want = append(want, fault.Path+" "+fault.Text)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v in %s (-want +got):\n%s", bad, data, diff)
			}
			tried, wrong = tried+1, wrong+len(got)
			place.set(old)
		}
	}
	if tried < 200 || wrong < 100 {
		t.Errorf("only %d values tried, of which %d were wrong: the sample is too small", tried, wrong)
	}
}

// place is a value in a document.
type place struct {
	get func() any
	set func(any)
}

// placesIn returns the places below an object or a list.
func placesIn(value any) []place {
	var out []place
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			out = append(out, place{func() any { return v[key] }, func(to any) { v[key] = to }})
			out = append(out, placesIn(v[key])...)
		}
	case []any:
		for i := range v {
			out = append(out, place{func() any { return v[i] }, func(to any) { v[i] = to }})
			out = append(out, placesIn(v[i])...)
		}
	}
	return out
}

// TestForeignWords: all misfits of a template are reported at once, in the words of YAML.
func TestForeignWords(t *testing.T) {
	t.Parallel()
	for reason, tc := range map[string]struct{ spec, want string }{
		"two misfits": {
			spec: `{"schedule":5,"template":{"metadata":{"labels":{"a":1}}}}`,
			want: `[spec.predefinedTemplates[0].spec.schedule: is the number 5, ` +
				`expected a string spec.predefinedTemplates[0].spec.template.metadata.labels[a]: is the number 1, expected a string]`,
		},
		"an unknown field": {`{"shedule":"x"}`, `[spec.predefinedTemplates[0].spec.shedule: unknown field "shedule"]`},
	} {
		_, err := DecodeGoldenImages(object(t, golden(`{"predefinedTemplates":[{"name":"a","spec":`+tc.spec+`}]}`)))
		if got := fmt.Sprint(lines(t, err)); got != tc.want {
			t.Errorf("%s: got %s\nwant %s", reason, got, tc.want)
		}
	}
}
