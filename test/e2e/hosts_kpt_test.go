package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKpt(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for name, kpt := range kpts(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("RenderOfTheExample", func(t *testing.T) { renderOfTheExample(t, r, kpt) })
			t.Run("EvalWithKeysAndValues", func(t *testing.T) { evalWithKeysAndValues(t, r, kpt) })
			t.Run("EvalOfTheExample", func(t *testing.T) { evalOfTheExample(t, r, kpt) })
			t.Run("EvalWithAnUnknownKey", func(t *testing.T) { evalWithAnUnknownKey(t, r, kpt) })
			t.Run("EvalWithAConfiguration", func(t *testing.T) { evalWithAConfiguration(t, r, kpt) })
			t.Run("ResultsAreStructured", func(t *testing.T) { resultsAreStructured(t, r, kpt) })
			t.Run("SelectorsOfThePipeline", func(t *testing.T) { selectorsOfThePipeline(t, r, kpt) })
			t.Run("EmittedBehindSelectors", func(t *testing.T) { emittedBehindSelectors(t, r, kpt) })
			t.Run("FilesThatKptWritesAnew", func(t *testing.T) { filesThatKptWritesAnew(t, r, kpt) })
			t.Run("FileOfAnEmittedObject", func(t *testing.T) { fileOfAnEmittedObject(t, r, kpt) })
			t.Run("WorkloadsOfTheExample", func(t *testing.T) { workloadsOfTheExample(t, r, kpt) })
			t.Run("WorkloadsThatFail", func(t *testing.T) { workloadsThatFail(t, r, kpt) })
			t.Run("PackagesOfClusters", func(t *testing.T) { packagesOfClusters(t, r, kpt) })
			t.Run("EachFindingOnce", func(t *testing.T) { eachFindingOnce(t, r, kpt) })
			t.Run("ErrorFindingTouchesNoFile", func(t *testing.T) { errorFindingTouchesNoFile(t, r, kpt) })
		})
	}
}

func renderOfTheExample(t *testing.T, r runner, kpt string) {
	t.Parallel()
	dir := copied(t, "examples/kpt")
	before := tree(t, dir)
	if got := r.run(t, kpt, "fn", "render", dir, "--allow-exec"); got.status != 0 {
		t.Fatalf("status %d, want 0\n%s%s", got.status, got.stdout, got.stderr)
	}
	after := tree(t, dir)
	const cr = "hyperconverged.yaml"
	var promised []string
	for line := range strings.SplitSeq(blocks(t, "examples/kpt/README.md", "diff")[0], "\n") {
		if line, ok := strings.CutPrefix(line, "+"); ok {
			promised = append(promised, line)
		}
	}
	// Every line of the file is still there, so its comments are.
	if diff := cmp.Diff(promised, added(t, before[cr], after[cr])); diff != "" {
		t.Errorf("%s got other lines than the README promises (-README +file):\n%s", cr, diff)
	}
	rest := tree(t, dir)
	rest[cr] = before[cr]
	if diff := cmp.Diff(before, rest); diff != "" {
		t.Errorf("files beside %s were touched:\n%s", cr, diff)
	}
	if got := r.run(t, kpt, "fn", "render", dir, "--allow-exec"); got.status != 0 {
		t.Fatalf("second run: status %d, want 0\n%s%s", got.status, got.stdout, got.stderr)
	}
	if diff := cmp.Diff(after, tree(t, dir)); diff != "" {
		t.Errorf("a second run changed something:\n%s", diff)
	}
}

func evalWithKeysAndValues(t *testing.T, r runner, kpt string) {
	t.Parallel()
	dir := written(t, map[string]string{"hco.yaml": emptyCR})
	got := r.run(t, kpt, "fn", "eval", dir, "--exec", "goldenarch", "--",
		"workloadArchitectures=amd64,arm64", "controlPlaneArchitectures=amd64", "predefined=none")
	if got.status != 0 {
		t.Fatalf("status %d, want 0\n%s%s", got.status, got.stdout, got.stderr)
	}
	want := []string{"  featureGates:", "    enableMultiArchBootImageImport: true"}
	if diff := cmp.Diff(want, added(t, emptyCR, tree(t, dir)["hco.yaml"])); diff != "" {
		t.Errorf("two workload architectures did not turn the gate on, or did more (-want +got):\n%s", diff)
	}
}

func evalWithAnUnknownKey(t *testing.T, r runner, kpt string) {
	t.Parallel()
	dir := written(t, map[string]string{"hco.yaml": emptyCR})
	got := r.run(t, kpt, "fn", "eval", dir, "--truncate-output=false", "--exec", "goldenarch", "--", "workloadArchitecture=amd64")
	if got.status != 1 {
		t.Errorf("status %d, want 1: an unknown key is an error", got.status)
	}
	if said := got.stdout + got.stderr; !strings.Contains(said, "workloadArchitectures") {
		t.Errorf("the nearest known key is not named:\n%s", said)
	}
	if diff := cmp.Diff(emptyCR, tree(t, dir)["hco.yaml"]); diff != "" {
		t.Errorf("the file was touched:\n%s", diff)
	}
}

func errorFindingTouchesNoFile(t *testing.T, r runner, kpt string) {
	t.Parallel()
	dir := copied(t, "examples/kpt")
	// Without the nodes nothing says which architectures there are.
	if err := os.Remove(filepath.Join(dir, "nodes.yaml")); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	got := r.run(t, kpt, "fn", "render", dir, "--allow-exec")
	if got.status != 1 {
		t.Errorf("status %d, want 1\n%s%s", got.status, got.stdout, got.stderr)
	}
	if said := got.stdout + got.stderr; !strings.Contains(said, "[error]") || !strings.Contains(said, "GA") {
		t.Errorf("kpt does not show the finding:\n%s", said)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files were touched:\n%s", diff)
	}
}

// emptyCR is a CR without templates of its own, so no registry is asked.
const emptyCR = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: kubevirt-hyperconverged
spec:
  # nothing yet
  enableCommonBootImageImport: false
`
