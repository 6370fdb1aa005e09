package kinds

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/object"
)

// TestUnreadBehindMergeKey: a text that a merge key brings is reported as the
// field that it becomes.
func TestUnreadBehindMergeKey(t *testing.T) {
	t.Parallel()
	const text = "hco: |\n    apiVersion: hco.kubevirt.io/v1beta1\n    kind: HyperConverged\n"
	for _, tc := range []struct{ reason, yaml, want string }{
		{"without a merge key", "data:\n  " + text, "data.hco"},
		{"a merge key", "data:\n  <<: &a\n    hco: \"apiVersion: hco.kubevirt.io/v1beta1\\nkind: HyperConverged\\n\"\n", "data.hco"},
		{"a list of them", "data:\n  <<: [{hco: \"apiVersion: hco.kubevirt.io/v1beta1\\nkind: HyperConverged\\n\"}]\n", "data.hco"},
	} {
		item := yaml.MustParse("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" + tc.yaml)
		found := ReportUnread(object.All([]*yaml.RNode{item}))
		if len(found) != 1 || found[0].Field != tc.want {
			t.Errorf("%s: want one finding in %s, got %v", tc.reason, tc.want, found)
		}
	}
}
