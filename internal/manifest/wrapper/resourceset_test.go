package wrapper_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/wrapper"
)

func TestResourcesOf(t *testing.T) {
	t.Parallel()
	const resources = "  resources: [{kind: ConfigMap, name: a}, {kind: Secret, name: b}]\n"
	want := []wrapper.Resource{{Kind: "ConfigMap", Namespace: "n", Name: "a"}, {Kind: "Secret", Namespace: "n", Name: "b"}}
	for _, tc := range []struct {
		reason, spec string
		want         []wrapper.Resource
		reach        wrapper.Reach
	}{
		{"Reconcile applies each change", resources + "  strategy: Reconcile\n", want, wrapper.Applied},
		{"ApplyOnce applies once", resources + "  strategy: ApplyOnce\n", want, wrapper.CreatedOnce},
		{"ApplyOnce is the default", resources, want, wrapper.CreatedOnce},
		{"no resources", "  strategy: Reconcile\n", nil, wrapper.Applied},
	} {
		set := yaml.MustParse("apiVersion: addons.cluster.x-k8s.io/v1beta1\nkind: ClusterResourceSet\nmetadata: {name: s, namespace: n}\nspec:\n" + tc.spec)
		got, reach := wrapper.ResourcesOf(set.YNode())
		if diff := cmp.Diff(tc.want, got); diff != "" || reach != tc.reach {
			t.Errorf("%s: reach %v (-want +got):\n%s", tc.reason, reach, diff)
		}
	}
	for _, tc := range []struct {
		reason, kind, namespace, name string
		want                          bool
	}{
		{"the object of the set", "ConfigMap", "n", "a", true},
		{"a namespace that kustomize adds", "ConfigMap", "", "a", true},
		{"another namespace", "ConfigMap", "m", "a", false},
		{"another kind", "Secret", "n", "a", false},
		{"another name", "ConfigMap", "n", "b", false},
	} {
		if got := want[0].Matches(tc.kind, tc.namespace, tc.name); got != tc.want {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	const cr = "apiVersion: hco.kubevirt.io/v1\\nkind: HyperConverged"
	for _, tc := range []struct{ reason, kind, text, want string }{
		{"the data of a ConfigMap", "ConfigMap", `data: {a: "` + cr + `", b: "kind: Namespace"}`, "data.a"},
		{"a CR in JSON", "ConfigMap", `data: {a.json: '{"apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged"}'}`, "data[a.json]"},
		{"a comment behind the kind", "ConfigMap", `data: {a: "kind: HyperConverged  # ours"}`, "data.a"},
		{"the stringData of a Secret", "Secret", `stringData: {a: "` + cr + `"}`, "stringData.a"},
		{"what a merge key brings", "ConfigMap", `data: {a: "kind: Namespace", <<: {a: "` + cr + `", b: "` + cr + `"}}`, "data.b"},
		{"the data of a Secret is base64", "Secret", `data: {a: "` + cr + `"}`, ""},
		{"the binaryData of a ConfigMap", "ConfigMap", `binaryData: {a: "` + cr + `"}`, ""},
		{"any other kind", "Namespace", `data: {a: "` + cr + `"}`, ""},
	} {
		got := ""
		for _, text := range wrapper.Texts(tc.kind, yaml.MustParse(tc.text).YNode(), wrapper.HoldsCR) {
			got += text.Path()
		}
		if got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
