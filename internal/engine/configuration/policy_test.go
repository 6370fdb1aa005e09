package configuration

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestIsEqual: an object says the same wherever it is written.
func TestIsEqual(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\n"
	placed := func(file string) string {
		return "metadata: {name: c, annotations: {config.kubernetes.io/path: " + file + "}}\n"
	}
	for _, tc := range []struct {
		reason, a, b string
		want         bool
	}{
		{"in two files", placed("a") + "workload: [amd64]\n", placed("b") + "workload: [amd64]\n", true},
		{"in another form", placed("a") + "workload: [amd64]\n", placed("b") + "workload:\n- \"amd64\"\n", true},
		{"with an anchor", placed("a") + "workload: &a [amd64]\ncontrolPlane: *a\n", placed("b") + "workload: &a [amd64]\ncontrolPlane: *a\n", true},
		{"with a tag", placed("a") + "workload: [!!str amd64]\n", placed("b") + "workload: [!!str amd64]\n", true},
		{"without annotations", placed("a") + "workload: [amd64]\n", "metadata: {name: c}\nworkload: [amd64]\n", true},
		{"without metadata", "workload: [amd64]\n", "workload: [amd64]\n", true},
		{"another value", placed("a") + "workload: [amd64]\n", placed("a") + "workload: [arm64]\n", false},
		{"another value with an anchor", placed("a") + "workload: &a [amd64]\ncontrolPlane: *a\n", placed("a") + "workload: &a [arm64]\ncontrolPlane: *a\n", false},
		{"another name", placed("a") + "workload: [amd64]\n", "metadata: {name: d}\nworkload: [amd64]\n", false},
	} {
		if got := isEqual(object.New(yaml.MustParse(head+tc.a)), object.New(yaml.MustParse(head+tc.b))); got != tc.want {
			t.Errorf("%s: want %t, got %t", tc.reason, tc.want, got)
		}
	}
}
