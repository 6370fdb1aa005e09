package fn

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// items reads YAML documents, each in one line.
func items(t *testing.T, list ...string) []*yaml.RNode {
	t.Helper()
	var out []*yaml.RNode
	for _, text := range list {
		out = append(out, parse(t, text))
	}
	return out
}

// TestObjects: a List is opened, and what comes out knows where it stands.
func TestObjects(t *testing.T) {
	t.Parallel()
	const note = `annotations: {internal.config.kubernetes.io/path: hco.yaml, internal.config.kubernetes.io/index: "3"}`
	list := items(t,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: n, "+note+"}}",
		"{apiVersion: v1, kind: List, metadata: {"+note+"}, items: [{apiVersion: x/v1, kind: X, metadata: {name: b}}, {apiVersion: v1, kind: NodeList, items: [{metadata: {name: c}}, {}]}]}",
		"{apiVersion: v1, kind: NodeList, items: [{apiVersion: v1, kind: Node}]}",
		"{apiVersion: v1, kind: List, items: []}",
		"{apiVersion: v1, kind: List}",
		"{apiVersion: v1, kind: List, items: {a: b}}",
		"{apiVersion: example.com/v1, kind: AllowList, items: [a, [b], null]}",
		"{apiVersion: v1, kind: ConfigMap, items: [{kind: X}]}",
	)
	var got []string
	for _, o := range objects(list) {
		got = append(got, o.at.APIVersion+" "+o.at.String()+" "+o.at.File+" "+o.path)
	}
	want := []string{
		"v1 ConfigMap/a hco.yaml ",
		"x/v1 X/b hco.yaml items[0]",
		"v1 Node/c hco.yaml items[1].items[0]",
		"v1 Node hco.yaml items[1].items[1]",
		"v1 Node  items[0]",
		"v1 List  ",
		"v1 List  ",
		"v1 ConfigMap  ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if at := objects(list)[0].at; at.Namespace != "n" || at.Index != 3 {
		t.Errorf("namespace and place are known: %+v", at)
	}
}

// TestProduct: what goes to the cluster.
func TestProduct(t *testing.T) {
	t.Parallel()
	local := func(value string) string {
		return "metadata: {annotations: {config.kubernetes.io/local-config: " + value + "}}"
	}
	for _, tc := range []struct {
		reason, item, want string
	}{
		{"a manifest", "{apiVersion: v1, kind: ConfigMap}", "{apiVersion: v1, kind: ConfigMap}\n"},
		{"a Node", "{apiVersion: v1, kind: Node}", ""},
		{"a NodeList", "{apiVersion: v1, kind: NodeList, items: []}", ""},
		{"a Node of another group is none", "{apiVersion: example.com/v1, kind: Node}", "{apiVersion: example.com/v1, kind: Node}\n"},
		{"our configuration", "{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages}", ""},
		{"of whatever version", "{apiVersion: goldenarch.dev/v9, kind: ClusterArchitectures}", ""},
		{"our lock", "{apiVersion: goldenarch.dev/v1alpha1, kind: ArchitectureLock}", ""},
		{"a local configuration", "{apiVersion: v1, kind: ConfigMap, " + local(`"true"`) + "}", ""},
		{"any value says so", "{apiVersion: v1, kind: ConfigMap, " + local(`""`) + "}", ""},
		{"but false", "{apiVersion: v1, kind: ConfigMap, " + local(`"false"`) + "}", "{apiVersion: v1, kind: ConfigMap, " + local(`"false"`) + "}\n"},
		{"part of a List", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node}, {apiVersion: v1, kind: Pod}]}", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}\n"},
		{"a List of which nothing is left", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node}, {apiVersion: v1, kind: Node}]}", ""},
		{"a List in a List", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node}]}]}", ""},
		{"a List that was empty", "{apiVersion: v1, kind: List, items: []}", "{apiVersion: v1, kind: List, items: []}\n"},
	} {
		got := ""
		for _, item := range Product(items(t, tc.item)) {
			got += item.MustString()
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
