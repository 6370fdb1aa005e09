package generators

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// TestObjectsOfPlainInput: the plain input of other modules gives what the types of
// the expansion give.
func TestObjectsOfPlainInput(t *testing.T) {
	t.Parallel()
	t1 := template("app", "disk", "amd64,arm64")
	t1.Metadata.Namespace, t1.Metadata.Labels = "team", map[string]string{"a": "b"}
	given := input{Templates: []expansion.Template{t1}, SSP: ssp("arm64", "amd64"), DataSources: v1alpha1.DataSourcesAll, ReplaceOnChange: true, Support: true}
	plain := Input{
		Templates: []Template{{
			Name: "app", Namespace: "team", Labels: t1.Metadata.Labels, Annotations: t1.Metadata.Annotations, Spec: t1.Spec,
		}},
		Architectures: []string{"arm64", "amd64"}, Namespace: expansion.UpstreamNamespace,
		DataSources: v1alpha1.DataSourcesAll, ReplaceOnChange: true, Support: true,
	}
	var want []map[string]any
	for _, o := range objects(given) {
		want = append(want, o)
	}
	if diff := cmp.Diff(want, Objects(plain)); len(want) == 0 || diff != "" {
		t.Errorf("want %d objects (-typed +plain):\n%s", len(want), diff)
	}
}
