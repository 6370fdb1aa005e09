package flux

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// afterInit returns a repository with a CR and a lock, after init.
func afterInit(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"hyperconverged.yaml", "golden-images.lock.yaml"} {
		text, err := os.ReadFile(filepath.Join(repository(t), example, "source", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(root, "virt"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "virt", name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program, err := goldenarch()
	if err != nil {
		t.Fatal(err)
	}
	run := func(words ...string) {
		t.Helper()
		command := exec.Command(program, words...)
		command.Dir = root
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", words, err, out)
		}
	}
	run("init", ".", "--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64")
	run("check", ".", "--offline")
	for _, name := range []string{"goldenarch.yaml", "virt/golden-images.lock.yaml"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestFluxAppliesNothingOfGoldenarch: after init, beside a lock, Flux builds the whole repository to the CR, twice the same.
func TestFluxAppliesNothingOfGoldenarch(t *testing.T) {
	t.Parallel()
	root := afterInit(t)
	want := []string{"HyperConverged kubevirt-hyperconverged"}
	for range 2 {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(root)); err != nil {
			t.Fatal(err)
		}
		resources, err := builtAt(t, copied, copied, fluxKustomization(nil))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range resources.Resources() {
			got = append(got, r.GetKind()+" "+r.GetName())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +what Flux applies:\n%s", diff)
		}
	}
}
