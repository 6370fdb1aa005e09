package object

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func parse(t *testing.T, text string) *yaml.RNode {
	t.Helper()
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

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
		"{apiVersion: v1, kind: List, metadata: {"+note+
			"}, items: [{apiVersion: x/v1, kind: X, metadata: {name: b}}, {apiVersion: v1, kind: NodeList, items: [{metadata: {name: c}}, {}]}]}",
		"{apiVersion: v1, kind: NodeList, items: [{apiVersion: v1, kind: Node}]}",
		"{apiVersion: v1, kind: List, items: []}",
		"{apiVersion: v1, kind: List}",
		"{apiVersion: v1, kind: List, items: {a: b}}",
		"{apiVersion: example.com/v1, kind: AllowList, items: [a, [b], null]}",
		"{apiVersion: v1, kind: ConfigMap, items: [{kind: X}]}",
		"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, "+
			"items: &i [&p {apiVersion: v1, kind: Pod, metadata: &m {name: p}}]}, *p, {apiVersion: v1, kind: List, items: *i}, "+
			"{apiVersion: v1, kind: Job, metadata: *m}]}",
		"&a {apiVersion: v1, kind: List, items: [*a]}",
	)
	var got []string
	for _, o := range All(list) {
		got = append(got, o.At.APIVersion+" "+o.At.String()+" "+o.At.File+" "+o.Path)
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
	if at := All(list)[0].At; at.Namespace != "n" || at.Index != 3 {
		t.Errorf("namespace and place are known: %+v", at)
	}
}

// TestLocal: the annotation of an item or of an element of a List counts, and no annotation in what a wrapper carries.
func TestLocal(t *testing.T) {
	t.Parallel()
	const (
		local = "annotations: {config.kubernetes.io/local-config: 'true'}"
		pod   = "{apiVersion: v1, kind: Pod, metadata: {name: a, " + local + "}}"
		work  = "apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, spec: {workload: {manifests: ["
	)
	for _, tc := range []struct {
		item string
		want []bool
	}{
		{pod, []bool{true}},
		{strings.ReplaceAll(pod, "'true'", "'false'"), []bool{false}},
		{"{apiVersion: v1, kind: List, items: [" + pod + ", {apiVersion: v1, kind: Pod}]}", []bool{true, false}},
		{"{apiVersion: v1, kind: List, metadata: {" + local + "}, items: [{apiVersion: v1, kind: Pod}]}", []bool{true}},
		{"{" + work + pod + "]}}}", []bool{false, false}},
		{"{metadata: {name: w, " + local + "}, " + work + pod + "]}}}", []bool{true, true}},
	} {
		var got []bool
		for _, o := range All(items(t, tc.item)) {
			got = append(got, o.IsLocal())
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: want %v, got %v", tc.item, tc.want, got)
		}
	}
}

// TestBeyondJSON: what JSON has no form for is named with its line, in no words of Go.
func TestBeyondJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"kind: A\ndata:\n  ? {a: b}\n  : c\n":   "read the YAML: line 3: a key is not a text",
		"kind: A\ndata: &d\n  ~: c\nmore: *d\n": "read the YAML: line 3: a key is not a text",
		"kind: A\ndata:\n- 1\n- [-.Inf, 1.5]\n": "read the YAML: line 4: -.Inf is not a number of JSON",
		"kind: A\ndata: .nan\n":                 "read the YAML: line 2: .nan is not a number of JSON",
	} {
		if _, err := New(parse(t, text)).JSON(); err == nil || err.Error() != want {
			t.Errorf("%s\nwant %s\ngot  %v", text, want, err)
		}
	}
}

// TestIn: an object that is an alias is what the alias stands for.
func TestInCopy(t *testing.T) {
	t.Parallel()
	item := parse(t, "{apiVersion: v1, kind: List, items: [&p {apiVersion: v1, kind: Pod, metadata: {name: p}}, *p]}")
	for _, o := range All([]*yaml.RNode{item}) {
		if got := Ref(o.InCopy(item)).Name; got != "p" {
			t.Errorf("%s: want the Pod p, got %q", o.Path, got)
		}
	}
}
