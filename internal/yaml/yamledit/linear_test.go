package yamledit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// deployments returns a List of so many Deployments, as block style, as JSON in lines, or as
// JSON in one line.
func deployments(n int, form string) []byte {
	var out strings.Builder
	switch form {
	case "block":
		out.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	default:
		out.WriteString("{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [")
	}
	for i := range n {
		switch form {
		case "block":
			fmt.Fprintf(&out, "- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: app-%d # of team %d\n  spec:\n    template:\n      spec:\n"+
				"        containers:\n        - name: main\n          image: quay.io/a/b:%d\n", i, i%7, i%3)
			continue
		case "rows":
			out.WriteString("\n ")
		}
		fmt.Fprintf(&out, ` {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "app-%d"}, "spec": {"template": {"spec": {"containers": [`+
			`{"name": "main", "image": "quay.io/a/b:%d"}]}}}}`, i, i%3)
		if i < n-1 {
			out.WriteString(",")
		}
	}
	if form != "block" {
		out.WriteString("]}")
	}
	return []byte(out.String() + "\n")
}

// placed reads a text, and edits each Deployment in the tree.
func placed(tb testing.TB, text []byte) *yaml.Node {
	tb.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		tb.Fatal(err)
	}
	for _, item := range yamlnode.Get(&doc, "items").Content {
		affinity := yaml.MustParse("nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
			"[{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}]}}").YNode()
		yamlnode.Put(yamlnode.Get(item, "spec", "template", "spec"), "affinity", yamlnode.Unplaced(affinity))
	}
	return &doc
}

// TestLinear: an object takes less than 100 steps, however many there are, in each form, and each
// object is edited. The tree of a stranger, which has no positions, is aligned by
// names.
func TestLinear(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"block", "rows", "line"} {
		for _, positioned := range []bool{true, false} {
			for _, n := range []int{1000, 2000} {
				text := deployments(n, form)
				want := placed(t, text)
				if !positioned {
					want = yamlnode.Unplaced(want)
				}
				root, err := read(text)
				if err != nil {
					t.Fatal(err)
				}
				top, err := scan(text, root)
				if err != nil {
					t.Fatal(err)
				}
				e := newEdit(text, top, root, yamlnode.Root(want))
				e.Comparison = yamlnode.NewComparisonOf(100 * n)
				if err := e.run(yamlnode.Root(want)); err != nil {
					t.Errorf("%d in form %s, positions %v: %v", n, form, positioned, err)
				}
				out, _ := e.apply()
				if got := strings.Count(string(out), "kubernetes.io/arch"); got != n {
					t.Errorf("%d in form %s: %d have an affinity", n, form, got)
				}
				if err := verify(out, yamlnode.Root(want)); err != nil {
					t.Errorf("%d in form %s: %v", n, form, err)
				}
			}
		}
	}
}

// TestBudget: an exhausted budget is what the error names.
func TestBudget(t *testing.T) {
	t.Parallel()
	text := []byte("a: &x {b: 1}\nc: [*x, *x, *x]\n")
	root, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	want, err := read([]byte("a: {b: 1}\nc: [{b: 1}, {b: 1}, {b: 1}]\nd: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	top, err := scan(text, root)
	if err != nil {
		t.Fatal(err)
	}
	e := newEdit(text, top, root, want)
	e.Comparison = yamlnode.NewComparisonOf(3)
	if err := e.run(want); err == nil || !strings.Contains(err.Error(), "too large to compare: more than 3 steps") {
		t.Errorf("got %v", err)
	}
}

// TestIncreasing: as many indexes as possible stay, in their order.
func TestIncreasing(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want []int }{
		{nil, nil},
		{[]int{0, 1, 2}, []int{0, 1, 2}},
		{[]int{3, 0, 1}, []int{-1, 0, 1}},
		{[]int{2, 2, -1, 3}, []int{-1, 2, -1, 3}},
		{[]int{5, 1, 4, 2, 3}, []int{-1, 1, -1, 2, 3}},
	} {
		if got := increasing(tc.in); !slices.Equal(got, tc.want) {
			t.Errorf("%v: got %v, want %v", tc.in, got, tc.want)
		}
	}
}

// BenchmarkUpdate edits each object of a List, and as many documents of one object.
func BenchmarkUpdate(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("documents/%d", n), func(b *testing.B) {
			text := deployments(1, "block")
			want := placed(b, text)
			b.SetBytes(int64(n * len(text)))
			b.ReportAllocs()
			for b.Loop() {
				for range n {
					if _, err := Update(text, want); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
	for _, form := range []string{"block", "rows", "line"} {
		for _, n := range []int{1000, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", form, n), func(b *testing.B) {
				text := deployments(n, form)
				want := placed(b, text)
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Update(text, want); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
