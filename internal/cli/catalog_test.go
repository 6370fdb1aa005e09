package cli

import (
	"fmt"
	"strings"
	"testing"
)

// catalogOf returns a file-based catalog of one package, with a channel for each bundle.
// Each bundle promises amd64 and arm64.
func (l *lockedTree) catalogOf(bundles int, images ...string) string {
	var s strings.Builder
	s.WriteString("schema: olm.package\nname: acme\n")
	for n := range bundles {
		fmt.Fprintf(&s, "---\nschema: olm.channel\nname: c%d\npackage: acme\nentries: [{name: v%[1]d}]\n", n)
		fmt.Fprintf(&s, "---\nschema: olm.bundle\nname: v%d\npackage: acme\nimage: %s\nproperties:\n"+
			"- {type: olm.csv.metadata, value: {labels: {operatorframework.io/arch.amd64: supported, operatorframework.io/arch.arm64: supported}}}\n"+
			"relatedImages:\n", n, l.ref("x/bundle:1"))
		for _, image := range images {
			fmt.Fprintf(&s, "- {name: x, image: %q}\n", l.ref(image))
		}
	}
	return s.String()
}

// TestCatalog: what each verb does with a catalog of operators.
func TestCatalog(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason  string
		files   func(l *lockedTree)
		args    []string
		status  int
		out     []string // in standard output or standard error
		queried int      // manifests
	}{
		{
			reason: "images that keep the promise: the heads are listed",
			files:  func(l *lockedTree) { l.write("catalog/c.yaml", l.catalogOf(1, "x/fedora:1")) },
			args:   []string{"check", "DIR/catalog"}, queried: 1,
			out: []string{"info GA736", "c0 (v0): amd64, arm64", "passed: RightAsCommitted, 1 operator catalog"},
		},
		{
			reason: "an image that lacks what the head promises", status: 1,
			files: func(l *lockedTree) { l.write("catalog/c.yaml", l.catalogOf(1, "x/fedora:1", "x/rhel10-guest:latest")) },
			args:  []string{"check", "DIR/catalog"}, queried: 2, out: []string{"error GA713", "promises arm64", "failed: NotRight"},
		},
		{
			reason: "300 bundles of the same images query each image once", status: 1,
			files: func(l *lockedTree) {
				l.write("catalog/c.yaml", l.catalogOf(300, "x/fedora:1", "x/rhel10-guest:latest"))
			},
			args: []string{"check", "DIR/catalog"}, queried: 2,
		},
		{
			reason: "a database is not read, and so is not right", status: 1,
			files: func(l *lockedTree) { l.write("catalog/index.db", "SQLite format 3\x00") },
			args:  []string{"check", "DIR/catalog"}, out: []string{"error GA737", "opm migrate"},
		},
		{
			reason: "lock keeps no answers about catalogs", status: 1,
			files: func(l *lockedTree) { l.write("catalog/c.yaml", l.catalogOf(1, "x/fedora:1")) },
			args:  []string{"lock", "DIR/catalog"}, out: []string{"lock keeps no answers about a catalog of operators"},
		},
		{
			reason: "a catalog beside clusters is named as not checked",
			files: func(l *lockedTree) {
				l.write("hco.yaml", "")
				l.write("clusters/a/hco.yaml", "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n"+
					"metadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}\nspec: {}\n")
				l.write("catalog/c.yaml", l.catalogOf(1, "x/fedora:1"))
			},
			args: []string{"check", "DIR", "--workload-architectures", "amd64", "--control-plane-architectures", "amd64", "--release", "1.19"},
			out:  []string{"warning GA868", "catalog/c.yaml"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			tc.files(l)
			status, stdout, stderr := l.run(nil, tc.args...)
			all := stdout + stderr
			if status != tc.status {
				t.Errorf("status %d, want %d:\n%s", status, tc.status, all)
			}
			for _, want := range tc.out {
				if !strings.Contains(all, want) {
					t.Errorf("the output lacks %q:\n%s", want, all)
				}
			}
			if got := l.registry.Counts().Manifest; tc.queried > 0 && got != tc.queried {
				t.Errorf("%d requests for manifests, want %d", got, tc.queried)
			}
		})
	}
}
