package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kptRunsTheImage runs the image in both releases of kpt.
func kptRunsTheImage(t *testing.T, e engines) {
	// Which variable names the engine depends on kpt's release.
	r := e.with("KPT_FN_RUNTIME=podman", "KRM_FN_RUNTIME=podman")
	for name, kpt := range kpts(t) {
		t.Run(name, func(t *testing.T) {
			t.Run("Render", func(t *testing.T) { kptRendersWithTheImage(t, r, kpt) })
			t.Run("Eval", func(t *testing.T) { kptEvaluatesTheImage(t, r, kpt) })
			t.Run("Results", func(t *testing.T) { kptKeepsTheResultsOfTheImage(t, r, kpt) })
			t.Run("WithoutNetwork", func(t *testing.T) { kptHidesTheNetwork(t, r, kpt) })
			t.Run("Doc", func(t *testing.T) { kptShowsTheHelp(t, r, kpt) })
		})
	}
}

// kpts returns the kpt that kptfn/go.mod pins, and the one on the PATH if there
// is one: their releases differ in how they call functions.
func kpts(t *testing.T) map[string]string {
	t.Helper()
	hosts := map[string]string{
		"Pinned": build(t, filepath.Join(repository(t), "test/e2e/kptfn"), ".", "kpt"),
	}
	if installed, err := exec.LookPath("kpt"); err == nil {
		hosts["Installed"] = installed
	}
	return hosts
}

// kptRendersWithTheImage renders the example with the Kptfile of its README that
// names the image; the result is that of the program.
func kptRendersWithTheImage(t *testing.T, r runner, kpt string) {
	program, image := copied(t, "examples/kpt"), copied(t, "examples/kpt")
	replaceIn(t, filepath.Join(image, "Kptfile"), "- exec: goldenarch\n", "- image: "+publishedImage+"\n")
	if readme, err := os.ReadFile(filepath.Join(image, "README.md")); err != nil ||
		!strings.Contains(string(readme), "- image: "+publishedImage+"\n        configPath: golden-images.yaml\n") {
		t.Errorf("the README does not show this Kptfile (%v)", err)
	}
	if got := r.run(t, kpt, "fn", "render", program, "--allow-exec"); got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	for range 2 {
		if got := r.run(t, kpt, "fn", "render", image); got.status != 0 {
			t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
		want, got := tree(t, program), tree(t, image)
		delete(want, "Kptfile")
		delete(got, "Kptfile")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the image writes something else than the program (-program +image):\n%s", diff)
		}
	}
}

func kptEvaluatesTheImage(t *testing.T, r runner, kpt string) {
	dir := written(t, map[string]string{"hco.yaml": emptyCR})
	got := r.run(t, kpt, "fn", "eval", dir, "--image", publishedImage, "--", "workloadArchitectures=amd64,arm64",
		"controlPlaneArchitectures=amd64", "predefined=none")
	if got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	want := []string{"  featureGates:", "    enableMultiArchBootImageImport: true"}
	if diff := cmp.Diff(want, added(t, emptyCR, tree(t, dir)["hco.yaml"])); diff != "" {
		t.Errorf("two workload architectures did not turn the gate on, or did more (-want +got):\n%s", diff)
	}
}

// kptKeepsTheResultsOfTheImage fails in a container, for want of the lock: the
// finding has its place in --results-dir, and no file is touched.
func kptKeepsTheResultsOfTheImage(t *testing.T, r runner, kpt string) {
	dir, out := copied(t, "examples/kpt"), t.TempDir()
	replaceIn(t, filepath.Join(dir, "Kptfile"), "- exec: goldenarch\n", "- image: "+publishedImage+"\n")
	if err := os.Remove(filepath.Join(dir, "golden-images.lock.yaml")); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	if got := r.run(t, kpt, "fn", "render", dir, "--results-dir", out); got.status != 1 {
		t.Errorf("status %d, want 1\n%s%s", got.status, got.stdout, got.stderr)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files were touched:\n%s", diff)
	}
	results := tree(t, out)["results.yaml"]
	for _, want := range []string{"image: " + publishedImage, "GA601: ", "path: hyperconverged.yaml"} {
		if !strings.Contains(results, want) {
			t.Errorf("the results do not have %q:\n%s", want, results)
		}
	}
}

// kptShowsTheHelp reads what kpt tells of a function: what it is, what its
// configuration looks like, and how to state its fields.
func kptShowsTheHelp(t *testing.T, r runner, kpt string) {
	got := r.run(t, kpt, "fn", "doc", "--image", publishedImage)
	if got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	for _, want := range []string{"HyperConverged", "kind: GoldenImages", "ConfigMap", "workload-architectures", "--set"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the help does not speak of %q:\n%s", want, got.stdout)
		}
	}
}
