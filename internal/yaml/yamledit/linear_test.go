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

// TestLinear: twice the objects are a little more than twice the work, which allocates memory, in
// each form, and each object is edited. The tree of a stranger, which has no positions, is aligned by
// names.
func TestLinear(t *testing.T) {
	for _, form := range []string{"block", "rows", "line"} {
		for _, positioned := range []bool{true, false} {
			var work []float64
			for _, n := range []int{500, 1000} {
				text := deployments(n, form)
				want := placed(t, text)
				if !positioned {
					want = yamlnode.Unplaced(want)
				}
				work = append(work, testing.AllocsPerRun(1, func() {
					out, err := Update(text, want)
					if got := strings.Count(string(out), "kubernetes.io/arch"); got != n || err != nil {
						t.Errorf("%d in form %s: %d have an affinity: %v", n, form, got, err)
					}
				}))
			}
			if work[1] > work[0]*9/4 {
				t.Errorf("form %s, positions %v: 500 objects take %.0f allocations, 1,000 take %.0f", form, positioned, work[0], work[1])
			}
		}
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
