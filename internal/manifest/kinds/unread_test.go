package kinds

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
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

// TestHowToRead: the advice is what helps with the kind of place.
func TestHowToRead(t *testing.T) {
	t.Parallel()
	const text = "\"apiVersion: hco.kubevirt.io/v1beta1\\nkind: HyperConverged\\n\""
	const cr = "{apiVersion: hco.kubevirt.io/v1beta1, kind: HyperConverged}"
	for _, tc := range []struct{ reason, kind, spec, want string }{
		{"a patch of helm-controller", "HelmRelease", "postRenderers: [{kustomize: {patches: [{patch: " + text + "}]}}]", "it is a patch"},
		{"values of a chart", "HelmRelease", "values: {a: [" + cr + "]}", "pass --cr-path 'd/a.yaml#spec.values.a[0]' in place of the path"},
		{"values of a chart in Argo CD", "Application", "source: {helm: {valuesObject: {cr: " + cr + "}}}", "--cr-path 'd/a.yaml#spec.source.helm.valuesObject.cr'"},
		{"a wrapper that nobody knows", "Object", "manifest: " + cr, "pass --cr-path 'd/a.yaml#spec.manifest' in place of the path"},
	} {
		item := yaml.MustParse("apiVersion: example.com/v1\nkind: " + tc.kind + "\nmetadata: {name: a, annotations: {config.kubernetes.io/path: d/a.yaml}}\n" +
			"spec: {" + tc.spec + "}\n")
		found := ReportUnread(object.All([]*yaml.RNode{item}))
		if len(found) != 1 || !strings.Contains(found[0].Do, tc.want) {
			t.Errorf("%s: want %q, got %v", tc.reason, tc.want, found)
		}
	}
}

// TestWhyATextIsNotRead: the advice for a text names what is wrong with it, or what else must be passed.
func TestWhyATextIsNotRead(t *testing.T) {
	t.Parallel()
	const text = "data:\n  a: |\n    apiVersion: hco.kubevirt.io/v1beta1\n    kind: HyperConverged\n"
	for _, tc := range []struct{ reason, more, want string }{
		{"nothing is wrong", "    ...\n", "if a ClusterResourceSet applies it, pass that too"},
		{"two objects in a document", "    ...\n    kind: B\n", "begin each"},
		{"not YAML", "    a: [\n", "correct the text: read the text: yaml"},
	} {
		item := yaml.MustParse("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" + text + tc.more)
		found := ReportUnread(object.All([]*yaml.RNode{item}))
		if len(found) != 1 || !strings.Contains(found[0].Do, tc.want) {
			t.Errorf("%s: want %q, got %v", tc.reason, tc.want, found)
		}
	}
}
