package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/bound"
	"github.com/goldenarch/goldenarch/internal/finding"
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
		"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: &i [&p {apiVersion: v1, kind: Pod, metadata: &m {name: p}}]}, *p, {apiVersion: v1, kind: List, items: *i}, {apiVersion: v1, kind: Job, metadata: *m}]}",
		"&a {apiVersion: v1, kind: List, items: [*a]}",
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
		"v1 Pod/p  items[0].items[0]",
		"v1 Pod/p  items[1]",
		"v1 Pod/p  items[2].items[0]",
		"v1 Job/p  items[3]",
		"v1 List  ",
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
		{"a Node that Git manages for its labels", "{apiVersion: v1, kind: Node, metadata: {name: n, labels: {a: b}}}", "{apiVersion: v1, kind: Node, metadata: {name: n, labels: {a: b}}}\n"},
		{"a Node that Git manages for its taints", "{apiVersion: v1, kind: Node, spec: {taints: []}}", "{apiVersion: v1, kind: Node, spec: {taints: []}}\n"},
		{"an empty status says nothing", "{apiVersion: v1, kind: Node, metadata: {uid: '', resourceVersion: null}, status: {}}", "{apiVersion: v1, kind: Node, metadata: {uid: '', resourceVersion: null}, status: {}}\n"},
		{"a Node with a status", "{apiVersion: v1, kind: Node, status: {phase: x}}", ""},
		{"a Node with a uid", "{apiVersion: v1, kind: Node, metadata: {uid: u}}", ""},
		{"a Node with a resourceVersion", "{apiVersion: v1, kind: Node, metadata: {resourceVersion: '7'}}", ""},
		{"a Node that Git manages, for tools", "{apiVersion: v1, kind: Node, " + local(`"true"`) + "}", ""},
		{"the status of another kind is no matter", "{apiVersion: v1, kind: Pod, metadata: {uid: u}, status: {phase: x}}", "{apiVersion: v1, kind: Pod, metadata: {uid: u}, status: {phase: x}}\n"},
		{"a NodeList of dumps", "{apiVersion: v1, kind: NodeList, items: [{metadata: {uid: u}}, {status: {phase: x}}]}", ""},
		{"each Node of a NodeList by itself", "{apiVersion: v1, kind: NodeList, items: [{metadata: {uid: u}}, {metadata: {name: n}}]}", "{apiVersion: v1, kind: NodeList, items: [{metadata: {name: n}}]}\n"},
		{"each Node of a List by itself", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: n}}, {apiVersion: v1, kind: Node, status: {phase: x}}]}", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: n}}]}\n"},
		{"an alias of a status", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, status: &s {phase: x}}, {apiVersion: v1, kind: Node, status: *s}]}", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, status: {phase: x}}]}\n"},
		{"a NodeList", "{apiVersion: v1, kind: NodeList, items: []}", ""},
		{"a Node of another group is none", "{apiVersion: example.com/v1, kind: Node, status: {phase: x}}", "{apiVersion: example.com/v1, kind: Node, status: {phase: x}}\n"},
		{"our configuration", "{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages}", ""},
		{"of whatever version", "{apiVersion: goldenarch.dev/v9, kind: ClusterArchitectures}", ""},
		{"our lock", "{apiVersion: goldenarch.dev/v1alpha1, kind: ArchitectureLock}", ""},
		{"a local configuration", "{apiVersion: v1, kind: ConfigMap, " + local(`"true"`) + "}", ""},
		{"any value says so", "{apiVersion: v1, kind: ConfigMap, " + local(`""`) + "}", ""},
		{"but false", "{apiVersion: v1, kind: ConfigMap, " + local(`"false"`) + "}", "{apiVersion: v1, kind: ConfigMap, " + local(`"false"`) + "}\n"},
		{"part of a List", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, status: {phase: x}}, {apiVersion: v1, kind: Pod}]}", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}\n"},
		{"a List of which nothing is left", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, status: {phase: x}}, {apiVersion: v1, kind: Node, status: {phase: x}}]}", ""},
		{"a List in a List", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, status: {phase: x}}]}]}", ""},
		{"an alias of a Node", "{apiVersion: v1, kind: List, items: [&n {apiVersion: v1, kind: Node, status: {phase: x}}, {apiVersion: v1, kind: Pod}, *n]}", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}\n"},
		{"an alias of what goes to the cluster", "{apiVersion: v1, kind: List, items: [&p {apiVersion: v1, kind: Pod}, *p]}", "{apiVersion: v1, kind: List, items: [&p {apiVersion: v1, kind: Pod}, *p]}\n"},
		{"an anchor in what is left out", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {uid: u, labels: &l {a: b}}}, {apiVersion: v1, kind: Pod, metadata: {labels: *l}}]}", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {labels: {a: b}}}]}\n"},
		{"an alias of a list", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: &i [{apiVersion: v1, kind: Node, status: {phase: x}}]}, {apiVersion: v1, kind: List, items: *i}, {apiVersion: v1, kind: Pod}]}", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}\n"},
		{"an alias of the annotations", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {annotations: &a {config.kubernetes.io/local-config: \"true\"}}}, {apiVersion: v1, kind: Job, metadata: {annotations: *a}}]}", ""},
		{"an alias of the mark", "{apiVersion: v1, kind: Pod, metadata: {labels: {a: &t \"true\"}, annotations: {config.kubernetes.io/local-config: *t}}}", ""},
		{"a List that holds itself has no end", "&a {apiVersion: v1, kind: List, items: [*a]}", "&a {apiVersion: v1, kind: List, items: [*a]}\n"},
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

// TestIn: an object that is an alias is what the alias stands for.
func TestIn(t *testing.T) {
	t.Parallel()
	item := parse(t, "{apiVersion: v1, kind: List, items: [&p {apiVersion: v1, kind: Pod, metadata: {name: p}}, *p]}")
	for _, o := range objects([]*yaml.RNode{item}) {
		if got := refer(o.in(item)).Name; got != "p" {
			t.Errorf("%s: want the Pod p, got %q", o.path, got)
		}
	}
}

// TestListWithoutEnd: a List that holds itself, or is large beyond measure, is an
// error and no endless run.
func TestListWithoutEnd(t *testing.T) {
	t.Parallel()
	bomb := "{apiVersion: v1, kind: List, items: [&a [x,x,x,x,x,x,x,x,x,x], &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a], " +
		"&c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b], &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c], [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]]}"
	for _, text := range []string{"&a {apiVersion: v1, kind: List, items: [*a]}", bomb} {
		_, found := read(items(t, text), givenNodes{}, "")
		if len(found) != 1 || found[0].ID != finding.Unreadable || found[0].Text != bound.ErrAnchors.Error() {
			t.Errorf("want it told, got %s", found)
		}
	}
}
