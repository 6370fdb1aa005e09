//go:build unix

package hostile

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestOneFileOften: a file that is read too often ends a build, and kustomize's error
// is cleaned of what stands in the file in time that grows with its size, and not
// with the square of it.
func TestOneFileOften(t *testing.T) {
	var text strings.Builder
	text.WriteString("resources: [hco.yaml]\nconfigMapGenerator:\n- name: m\n  files:\n")
	for i := range 200 {
		fmt.Fprintf(&text, "  - k%d=x\n", i)
	}
	dir := filetest.New(t, map[string]string{"top/kustomization.yaml": text.String(), "top/hco.yaml": hco, "top/x": strings.Repeat("x", 8<<20)})
	got := Run(t, []string{"render", filepath.Join(dir, "top")}, "", Limits{Memory: 1 << 30})
	if got.Status != 1 || !strings.Contains(got.Stderr, "expected at most 256Mi") {
		t.Errorf("want the status 1 and the limit, got %d and\n%.1000s", got.Status, got.Stderr)
	}
}
