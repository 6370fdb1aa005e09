package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// workloadsOfTheExample: kpt fn render changes the lines of the README and no others.
func workloadsOfTheExample(t *testing.T, r runner, kpt string) {
	t.Parallel()
	dir := copied(t, "examples/workloads/kpt")
	before := tree(t, dir)
	if got := r.run(t, kpt, "fn", "render", dir, "--allow-exec"); got.status != 0 {
		t.Fatalf("status %d, want 0\n%s%s", got.status, got.stdout, got.stderr)
	}
	after := tree(t, dir)
	const file = "shop.yaml"
	if diff := cmp.Diff(promised(t, "diff"), added(t, before[file], after[file])); diff != "" {
		t.Errorf("%s got other lines than the README promises (-README +file):\n%s", file, diff)
	}
	rest := tree(t, dir)
	rest[file] = before[file]
	if diff := cmp.Diff(before, rest); diff != "" {
		t.Errorf("files beside %s were touched:\n%s", file, diff)
	}
	if got := r.run(t, kpt, "fn", "render", dir, "--allow-exec"); got.status != 0 {
		t.Fatalf("second run: status %d, want 0\n%s%s", got.status, got.stdout, got.stderr)
	}
	if diff := cmp.Diff(after, tree(t, dir)); diff != "" {
		t.Errorf("a second run changed something:\n%s", diff)
	}
}

// workloadsThatFail: kpt shows the finding, and touches no file.
func workloadsThatFail(t *testing.T, r runner, kpt string) {
	t.Parallel()
	dir := copied(t, "examples/workloads/kpt")
	replaceIn(t, filepath.Join(dir, "workload-architectures.yaml"), "  mode: Affinity\n", "  mode: Affinity\n  limitTo: [ppc64le]\n")
	before := tree(t, dir)
	got := r.run(t, kpt, "fn", "render", dir, "--allow-exec", "--truncate-output=false")
	if said := got.stdout + got.stderr; got.status != 1 || !strings.Contains(said, "[error]") || !strings.Contains(said, "GA701") {
		t.Errorf("status %d, want 1 and GA701\n%s", got.status, said)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files were touched:\n%s", diff)
	}
}

// promised returns the lines that the README of the workloads shows as added, in the
// block of a language.
func promised(t *testing.T, language string) []string {
	t.Helper()
	var out []string
	for line := range strings.SplitSeq(blocks(t, "examples/workloads/README.md", language)[0], "\n") {
		if line, ok := strings.CutPrefix(line, "+"); ok {
			out = append(out, line)
		}
	}
	return out
}
