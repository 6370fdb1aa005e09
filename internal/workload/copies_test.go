package workload

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
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

// TestCopiesOfOneName: two objects of one name are one workload, such as those of two clusters
// in wrappers, and one that a person excludes is none of the copies.
func TestCopiesOfOneName(t *testing.T) {
	t.Parallel()
	pod := func(name, annotations string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", annotations: {" + annotations + "}}\n" +
			"spec: {containers: [{name: x, image: a}]}\n"
	}
	const excluded = modeAnnotation + ": None"
	for _, tc := range []struct {
		reason string
		pods   []string
		want   int
	}{
		{"one name twice", []string{pod("p-amd64", ""), pod("p-amd64", "")}, 0},
		{"one name twice beside a copy", []string{pod("p-amd64", ""), pod("p-amd64", ""), pod("p-arm64", "")}, 2},
		{"a copy", []string{pod("p-amd64", ""), pod("p-arm64", "")}, 1},
		{"a copy that is excluded", []string{pod("p-amd64", ""), pod("p-arm64", excluded)}, 0},
		{"both are", []string{pod("p-amd64", excluded), pod("p-arm64", excluded)}, 0},
	} {
		var objects []podspec.Object
		for _, text := range tc.pods {
			objects = append(objects, objectsIn(yaml.MustParse(text))...)
		}
		run := Run{Nodes: NodesOf(named("amd64,arm64"))}
		run.Spec.Mode = v1alpha1.WorkloadsCheck
		if found := run.Copies(objects); len(found) != tc.want {
			t.Errorf("%s: want %d findings, got\n%s", tc.reason, tc.want, found)
		}
	}
}
