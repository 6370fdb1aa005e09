package v1alpha1

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func facts(spec string) string {
	return `{"apiVersion":"goldenarch.dev/v1alpha1","kind":"ClusterArchitectures","spec":` + spec + `}`
}

func TestDecodeClusterArchitectures(t *testing.T) {
	t.Parallel()
	count := 0
	for _, test := range []struct {
		reason, in string
		want       ClusterArchitecturesSpec
		errors     []string
	}{
		{
			reason: "architectures said directly", in: facts(`{"workload":["amd64"],"controlPlane":["arm64"]}`),
			want: ClusterArchitecturesSpec{Workload: []string{"amd64"}, ControlPlane: []string{"arm64"}},
		},
		{
			reason: "a group of no nodes may be said: an autoscaled pool", in: facts(`{"nodes":[{"count":0,"architecture":"arm64","labels":{"a":""}}]}`),
			want: ClusterArchitecturesSpec{Nodes: []NodeGroup{{Count: &count, Architecture: "arm64", Labels: map[string]string{"a": ""}}}},
		},
		{
			reason: "half a fact is enough", in: facts(`{"workload":["amd64"]}`),
			want: ClusterArchitecturesSpec{Workload: []string{"amd64"}},
		},
		{
			reason: "node facts that say nothing are a slip", in: facts(`{}`),
			errors: []string{"spec: is empty, expected workload, controlPlane or nodes"},
		},
		{
			reason: "fewer than no nodes", in: facts(`{"nodes":[{"count":-1,"architecture":"arm64"}]}`),
			errors: []string{"spec.nodes[0].count: is -1, expected 0 or more"},
		},
		{
			reason: "a group needs an architecture", in: facts(`{"nodes":[{"count":1}]}`),
			errors: []string{
				`spec.nodes[0].architecture: unknown architecture "": expected one of 386, amd64, arm, arm64, loong64, mips, mips64, ` +
					`mips64le, mipsle, ppc64, ppc64le, riscv64, s390x`,
			},
		},
		{
			reason: "what cannot be read is told once, not also as missing", in: facts(`{"workload":"amd64"}`),
			errors: []string{`spec.workload: is the string "amd64", expected a list`},
		},
		{
			reason: "an unknown field of a group", in: facts(`{"nodes":[{"arch":"arm64","architecture":"arm64"}]}`),
			errors: []string{`spec.nodes[0].arch: unknown field "arch"; did you mean "architecture"?`},
		},
		{
			reason: "a configuration is no node facts", in: golden(`{}`),
			errors: []string{`kind: is "GoldenImages", expected "ClusterArchitectures" of goldenarch.dev/v1alpha1`},
		},
		{
			reason: "nor is a ConfigMap", in: data(`{}`),
			errors: []string{`kind: is "ConfigMap", expected "ClusterArchitectures" of goldenarch.dev/v1alpha1`},
		},
		{
			reason: "another version", in: `{"apiVersion":"goldenarch.dev/v2","kind":"ClusterArchitectures"}`,
			errors: []string{`apiVersion: is "goldenarch.dev/v2", expected "goldenarch.dev/v1alpha1"`},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			got, err := DecodeClusterArchitectures(object(t, test.in))
			if diff := cmp.Diff(test.errors, lines(t, err)); diff != "" {
				t.Errorf("%s: errors (-want +got):\n%s", test.reason, diff)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(test.want, got.Spec); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}
