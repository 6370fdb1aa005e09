//go:build unix

package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManyDocumentsBesideTheInput is TestManyDocuments for the files that a flag or
// spec.inputs names: goldenarch needs few of their documents, or none.
func TestManyDocumentsBesideTheInput(t *testing.T) {
	const (
		node = `apiVersion: v1
kind: Node
metadata:
  name: n
  labels: {kubernetes.io/arch: amd64, node-role.kubernetes.io/worker: ""}
status: {nodeInfo: {architecture: amd64}}
`
		status = "status: {nodeInfo: {workloadsArchitectures: [amd64], controlPlaneArchitectures: [amd64]}}\n"
		config = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n" +
			"spec: {inputs: [many.yaml], predefined: none, cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}}\n"
	)
	var maps strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&maps, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%06d\n", i)
	}
	cases := map[string]struct {
		first  string // document of many.yaml
		args   []string
		status int
		maps   int // in the output
	}{
		"Inputs":        {config, []string{"render", "--offline", "--config", "config.yaml", "hco.yaml"}, 0, 200_000},
		"InputsChecked": {config, []string{"check", "--offline", "--config", "config.yaml", "hco.yaml"}, 0, 0},
		"Live": {
			first: hugeHead + "  uid: u\n  resourceVersion: \"1\"\nspec: {}\n" + status,
			args:  []string{"render", "--offline", "--set", "predefined=none", "--live", "many.yaml", "hco.yaml"},
		},
		"NodesAndOthers": {node, []string{"render", "--offline", "--set", "predefined=none", "--nodes", "many.yaml", "hco.yaml"}, 1, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir, many := t.TempDir(), tc.first+maps.String()
			if tc.first == config {
				many = maps.String()
			}
			for file, text := range map[string]string{"many.yaml": many, "hco.yaml": hugeHead + "spec: {}\n", "config.yaml": config} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			limits := Limits{Once: true, Time: most, Dir: dir}
			got := Run(t, tc.args, "", limits)
			if got.Status != tc.status {
				t.Errorf("want the status %d, got %d:\n%.2000s", tc.status, got.Status, got.Stderr)
			}
			limit := int64(10 * len(many))
			for again := 0; got.Peak > limit && again < 2; again++ { // on a busy machine garbage waits
				got = Run(t, tc.args, "", limits)
			}
			if got.Peak > limit {
				t.Errorf("%d bytes of text take %d bytes of memory, more than %d", len(many), got.Peak, limit)
			}
			if found := strings.Count(got.Stdout, "kind: ConfigMap\n"); found != tc.maps {
				t.Errorf("want %d ConfigMaps in the output, got %d", tc.maps, found)
			}
			if found := strings.Count(got.Stderr, "\n"); found > 40 {
				t.Errorf("want a few findings, got %d lines:\n%.2000s", found, got.Stderr)
			}
		})
	}
}
