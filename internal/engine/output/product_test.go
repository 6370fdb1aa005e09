package output

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

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
		{
			reason: "a Node that Git manages for its labels",
			item:   "{apiVersion: v1, kind: Node, metadata: {name: n, labels: {a: b}}}",
			want:   "{apiVersion: v1, kind: Node, metadata: {name: n, labels: {a: b}}}\n",
		},
		{"a Node that Git manages for its taints", "{apiVersion: v1, kind: Node, spec: {taints: []}}", "{apiVersion: v1, kind: Node, spec: {taints: []}}\n"},
		{
			reason: "an empty status says nothing",
			item:   "{apiVersion: v1, kind: Node, metadata: {uid: '', resourceVersion: null}, status: {}}",
			want:   "{apiVersion: v1, kind: Node, metadata: {uid: '', resourceVersion: null}, status: {}}\n",
		},
		{"a Node with a status", "{apiVersion: v1, kind: Node, status: {phase: x}}", ""},
		{"a Node with a uid", "{apiVersion: v1, kind: Node, metadata: {uid: u}}", ""},
		{"a Node with a resourceVersion", "{apiVersion: v1, kind: Node, metadata: {resourceVersion: '7'}}", ""},
		{"a Node that Git manages, for tools", "{apiVersion: v1, kind: Node, " + local(`"true"`) + "}", ""},
		{
			reason: "the status of another kind is no matter",
			item:   "{apiVersion: v1, kind: Pod, metadata: {uid: u}, status: {phase: x}}",
			want:   "{apiVersion: v1, kind: Pod, metadata: {uid: u}, status: {phase: x}}\n",
		},
		{"a NodeList of dumps", "{apiVersion: v1, kind: NodeList, items: [{metadata: {uid: u}}, {status: {phase: x}}]}", ""},
		{
			reason: "each Node of a NodeList by itself",
			item:   "{apiVersion: v1, kind: NodeList, items: [{metadata: {uid: u}}, {metadata: {name: n}}]}",
			want:   "{apiVersion: v1, kind: NodeList, items: [{metadata: {name: n}}]}\n",
		},
		{
			reason: "each Node of a List by itself",
			item:   "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: n}}, {apiVersion: v1, kind: Node, status: {phase: x}}]}",
			want:   "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: n}}]}\n",
		},
		{
			reason: "an alias of a status",
			item:   "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, status: &s {phase: x}}, {apiVersion: v1, kind: Node, status: *s}]}",
			want:   "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, status: {phase: x}}]}\n",
		},
		{"a NodeList", "{apiVersion: v1, kind: NodeList, items: []}", ""},
		{
			reason: "a Node of another group is none",
			item:   "{apiVersion: example.com/v1, kind: Node, status: {phase: x}}",
			want:   "{apiVersion: example.com/v1, kind: Node, status: {phase: x}}\n",
		},
		{"our configuration", "{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages}", ""},
		{"of whatever version", "{apiVersion: goldenarch.dev/v9, kind: ClusterArchitectures}", ""},
		{"our lock", "{apiVersion: goldenarch.dev/v1alpha1, kind: ArchitectureLock}", ""},
		{"a Fleet", "{apiVersion: goldenarch.dev/v1alpha1, kind: Fleet}", ""},
		{"a local configuration", "{apiVersion: v1, kind: ConfigMap, " + local(`"true"`) + "}", ""},
		{"any value says so", "{apiVersion: v1, kind: ConfigMap, " + local(`""`) + "}", ""},
		{"but false", "{apiVersion: v1, kind: ConfigMap, " + local(`"false"`) + "}", "{apiVersion: v1, kind: ConfigMap, " + local(`"false"`) + "}\n"},
		{
			reason: "part of a List",
			item:   "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, status: {phase: x}}, {apiVersion: v1, kind: Pod}]}",
			want:   "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}\n",
		},
		{
			reason: "a List of which nothing is left",
			item:   "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, status: {phase: x}}, {apiVersion: v1, kind: Node, status: {phase: x}}]}",
		},
		{"a List in a List", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, status: {phase: x}}]}]}", ""},
		{
			reason: "an alias of a Node",
			item:   "{apiVersion: v1, kind: List, items: [&n {apiVersion: v1, kind: Node, status: {phase: x}}, {apiVersion: v1, kind: Pod}, *n]}",
			want:   "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}\n",
		},
		{
			reason: "an alias of what goes to the cluster",
			item:   "{apiVersion: v1, kind: List, items: [&p {apiVersion: v1, kind: Pod}, *p]}",
			want:   "{apiVersion: v1, kind: List, items: [&p {apiVersion: v1, kind: Pod}, *p]}\n",
		},
		{
			reason: "an anchor in what is left out",
			item: "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {uid: u, labels: &l {a: b}}}, " +
				"{apiVersion: v1, kind: Pod, metadata: {labels: *l}}]}",
			want: "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {labels: {a: b}}}]}\n",
		},
		{
			reason: "an alias of a list",
			item: "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, " +
				"items: &i [{apiVersion: v1, kind: Node, status: {phase: x}}]}, {apiVersion: v1, kind: List, items: *i}, {apiVersion: v1, kind: Pod}]}",
			want: "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}\n",
		},
		{
			reason: "an alias of the annotations",
			item: "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, " +
				"metadata: {annotations: &a {config.kubernetes.io/local-config: \"true\"}}}, {apiVersion: v1, kind: Job, metadata: {annotations: *a}}]}",
		},
		{"an alias of the mark", "{apiVersion: v1, kind: Pod, metadata: {labels: {a: &t \"true\"}, annotations: {config.kubernetes.io/local-config: *t}}}", ""},
		{"a List that holds itself has no end", "&a {apiVersion: v1, kind: List, items: [*a]}", "&a {apiVersion: v1, kind: List, items: [*a]}\n"},
		{"a List that was empty", "{apiVersion: v1, kind: List, items: []}", "{apiVersion: v1, kind: List, items: []}\n"},
	} {
		got := ""
		for _, item := range Product([]*yaml.RNode{yaml.MustParse(tc.item)}) {
			got += item.MustString()
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
