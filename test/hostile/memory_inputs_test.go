//go:build unix

package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInputsOfTheFunction: the documents of a file of spec.inputs that goldenarch does not
// need take no more memory than 15 times their text, although the function writes each of
// them in the form of the list. Their nodes would take 80 times as much.
func TestInputsOfTheFunction(t *testing.T) {
	const (
		count = 60_000
		list  = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: goldenarch.dev/v1alpha1
  kind: GoldenImages
  metadata: {name: g}
  spec: {inputs: [many.yaml], predefined: none, cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}}
items:
- apiVersion: v1
  kind: Namespace
  metadata: {name: n}
`
	)
	var many strings.Builder
	many.WriteString(hugeHead + "spec: {}\n")
	for i := range count {
		fmt.Fprintf(&many, "---\n# of a team\napiVersion: v1\nkind: ConfigMap\nmetadata:\n    name: c%06d\n    labels: {a: b}\n"+
			"data:\n    key: 'value %d'\n    list: |\n      - a\n      - b\n", i, i)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "many.yaml"), []byte(many.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	limits, limit := Limits{Once: true, Time: most, Dir: dir}, int64(15*many.Len())
	got := Run(t, nil, list, limits)
	for again := 0; got.Peak > limit && again < 2; again++ { // on a busy machine garbage waits
		got = Run(t, nil, list, limits)
	}
	if got.Peak > limit {
		t.Errorf("%d bytes of text take %d bytes of memory, more than %d", many.Len(), got.Peak, limit)
	}
	if found := strings.Count(got.Stdout, "  kind: ConfigMap\n"); got.Status != 0 || found != count {
		t.Errorf("want the status 0 and %d ConfigMaps in the output, got %d and %d:\n%.2000s", count, got.Status, found, got.Stderr)
	}
}
