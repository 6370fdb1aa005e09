package argocd

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestKindOf: an object counts in each form that render reads.
func TestKindOf(t *testing.T) {
	t.Parallel()
	const group = "apiVersion: goldenarch.dev/v1alpha1\n"
	for _, tc := range []struct{ reason, text, want string }{
		{"a configuration", group + "kind: GoldenImages\n", GoldenImages},
		{"of another group", "apiVersion: example.com/v1\nkind: GoldenImages\n", ""},
		{"its kind is an alias", group + "metadata: {name: &kind GoldenImages}\nkind: *kind\n", GoldenImages},
		{"in a List", "apiVersion: v1\nkind: List\nitems: [{apiVersion: hco.kubevirt.io/v1, kind: HyperConverged}]\n", HyperConverged},
		{"in a List in a List", "kind: List\nitems: [{kind: List, items: [{apiVersion: hco.kubevirt.io/v1, kind: HyperConverged}]}]\n", HyperConverged},
		{"in a List of its own kind", "apiVersion: hco.kubevirt.io/v1\nkind: HyperConvergedList\nitems: [{metadata: {name: a}}]\n", HyperConverged},
		{"an alias in a List", "x: &x {apiVersion: hco.kubevirt.io/v1, kind: HyperConverged}\nkind: List\nitems: [*x]\n", HyperConverged},
		{"an infinite List", "kind: List\nitems: &items [*items]\n", ""},
		{
			"in a policy of Open Cluster Management", "apiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\n" +
				"spec: {object-templates: [{complianceType: musthave, objectDefinition: {apiVersion: hco.kubevirt.io/v1, kind: HyperConverged}}]}\n", HyperConverged,
		},
		{"a List that is none", "kind: List\nitems: {a: b}\n", ""},
		{"no kind", "kind: {a: b}\nmetadata: []\n", ""},
	} {
		if got := KindOf(yaml.MustParse(tc.text), []string{GoldenImages, HyperConverged}); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
