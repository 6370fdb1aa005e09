package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kustomizeHidesTheNetwork runs the image without a lock in the container that kustomize
// starts: it has no network, and the finding says how it gets one.
func kustomizeHidesTheNetwork(t *testing.T, r runner, kustomize string) {
	t.Helper()
	dir := filepath.Join(copied(t, "examples/kustomize"), "image")
	replaceIn(t, filepath.Join(dir, "golden-images.yaml"), "mode: Require", "mode: Ignore")
	got := r.run(t, kustomize, "build", "--enable-alpha-plugins", dir)
	if got.status != 1 || got.stdout != "" || !strings.Contains(got.stderr, "error GA201") ||
		!strings.Contains(got.stderr, "network: true") || !strings.Contains(got.stderr, "--network") {
		t.Errorf("the fix is not how a container gets a network: %+v", got)
	}
	if strings.Contains(got.stderr, "check the name") {
		t.Errorf("there are two fixes:\n%s", got.stderr)
	}
}

// kptHidesTheNetwork is the same with kpt.
func kptHidesTheNetwork(t *testing.T, r runner, kpt string) {
	t.Helper()
	dir := copied(t, "examples/kpt")
	if err := os.Remove(filepath.Join(dir, "golden-images.lock.yaml")); err != nil {
		t.Fatal(err)
	}
	replaceIn(t, filepath.Join(dir, "golden-images.yaml"), "mode: Require", "mode: Ignore")
	replaceIn(t, filepath.Join(dir, "Kptfile"), "exec: goldenarch", "image: "+publishedImage)
	got := r.run(t, kpt, "fn", "render", dir, "--truncate-output=false")
	if said := got.stdout + got.stderr; got.status != 1 || !strings.Contains(said, "GA201") || !strings.Contains(said, "--allow-network") {
		t.Errorf("the fix is not how a container gets a network:\n%s", said)
	}
}
