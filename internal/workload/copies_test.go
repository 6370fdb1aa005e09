package workload

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

func TestCopies(t *testing.T) {
	t.Parallel()
	only := func(a string) string { return "nodeSelector: {kubernetes.io/arch: " + a + "}" }
	for _, tc := range []struct {
		reason, cluster string
		pods            map[string]string // name -> constraints
		want            string            // a part of the only finding, "" for none
	}{
		{"each its own architecture", "amd64,arm64", map[string]string{"p-amd64": only("amd64"), "p-arm64": only("arm64")}, ""},
		{"an older name of an architecture", "amd64,arm64", map[string]string{"p-x86_64": only("amd64"), "p-aarch64": only("arm64")}, ""},
		{"one without a constraint runs beside the other", "amd64,arm64", map[string]string{"p-amd64": "", "p-arm64": only("arm64")}, "both admit nodes with arm64"},
		{"without node facts too", "", map[string]string{"p-amd64": only("amd64"), "p-arm64": only("amd64")}, "both admit nodes with amd64"},
		{"a gap", "amd64,arm64,s390x", map[string]string{"p-amd64": only("amd64"), "p-arm64": only("arm64")}, "admits nodes with s390x"},
		{"one alone is no copy", "amd64,arm64", map[string]string{"p-amd64": ""}, ""},
		{"other names are other workloads", "amd64,arm64", map[string]string{"p-amd64": "", "q-arm64": ""}, ""},
		{"armada and arm-less are not architectures", "amd64", map[string]string{"armada": "", "amd64less": ""}, ""},
	} {
		var objects []podspec.Object
		for _, name := range []string{"p-amd64", "p-x86_64", "p-arm64", "p-aarch64", "q-arm64", "armada", "amd64less"} {
			constraints, ok := tc.pods[name]
			if !ok {
				continue
			}
			text := fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec:\n  containers: [{name: x, image: a}]\n  %s\n", name, constraints)
			objects = append(objects, objectsIn(yaml.MustParse(text))...)
		}
		found := Run{Nodes: NodesOf(named(tc.cluster))}.Copies(objects)
		if (tc.want == "") != (len(found) == 0) || tc.want != "" && !strings.Contains(found.String(), tc.want) {
			t.Errorf("%s: want %q, got\n%s", tc.reason, tc.want, found)
		}
	}
}
