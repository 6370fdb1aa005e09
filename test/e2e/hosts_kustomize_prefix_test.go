package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kustomizePrefix holds names above an expansion against names that it had from the start:
// an expansion with a prefix is the expansion, with each name of its own changed.
func kustomizePrefix(t *testing.T, render func(t *testing.T, dir string) outcome) {
	unprefixed := func(t *testing.T, got outcome, prefix, suffix string) map[string]string {
		t.Helper()
		if got.status != 0 {
			t.Fatalf("status %d, want 0\n%s", got.status, got.stderr)
		}
		text := got.stdout
		for _, name := range []string{"fedora", "fedora-amd64", "fedora-arm64", "fedora-image-cron-amd64", "fedora-image-cron-arm64", "os-images.kubevirt.io:view"} {
			text = strings.ReplaceAll(text, ": "+prefix+name+suffix+"\n", ": "+name+"\n")
		}
		return objects(t, text)
	}
	for name, tc := range map[string]struct{ keys, prefix, suffix string }{
		"Prefix": {"namePrefix: dev-", "dev-", ""},
		"Suffix": {"nameSuffix: -dev", "", "-dev"},
		"Both":   {"namePrefix: a-\nnameSuffix: -z", "a-", "-z"},
	} {
		t.Run("NamesAboveAnExpansion/"+name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, "examples/kustomize")
			replaceIn(t, filepath.Join(dir, "prefixed/kustomization.yaml"), "namePrefix: dev-", tc.keys)
			plain, with := render(t, filepath.Join(dir, "generator")), render(t, filepath.Join(dir, "prefixed"))
			want, got := unprefixed(t, plain, "", ""), unprefixed(t, with, tc.prefix, tc.suffix)
			if diff := cmp.Diff(want, got); diff != "" || len(got) < 5 {
				t.Errorf("a reference names an object that does not exist (-plain +with names):\n%s", diff)
			}
		})
	}
	// Without the file kustomize leaves the references as they are: the file is needed.
	t.Run("NamesAboveAnExpansionWithoutTheFile", func(t *testing.T) {
		t.Parallel()
		dir := copied(t, "examples/kustomize")
		kustomization := filepath.Join(dir, "prefixed/kustomization.yaml")
		replaceIn(t, kustomization, "configurations:\n- name-references.yaml\n", "")
		if got := render(t, filepath.Dir(kustomization)); !strings.Contains(got.stdout, "managedDataSource: fedora-amd64\n") {
			t.Errorf("kustomize knows the references by itself: the example can go\n%s%s", got.stdout, got.stderr)
		}
	})
}

// kustomizeOld runs the last kustomize before 5.0, which hides a lock of the base.
func kustomizeOld(t *testing.T, r runner) {
	t.Parallel()
	old := build(t, filepath.Join(repository(t), "test/e2e/kustomize4"), "sigs.k8s.io/kustomize/kustomize/v4", "kustomize")
	example := copied(t, "examples/kustomize")
	got := r.run(t, old, "build", "--enable-alpha-plugins", "--enable-exec", filepath.Join(example, "production"))
	if got.status != 1 || got.stdout != "" || !strings.Contains(got.stderr, "warning GA016: kustomize v4.5.7 is older than 5.0") ||
		!strings.Contains(got.stderr, "error GA601") {
		t.Errorf("goldenarch does not say what an old kustomize does to the lock of the base: %+v", got)
	}
	lock := filepath.Join(example, "base/golden-images.lock.yaml")
	if err := os.Rename(lock, filepath.Join(example, "production/golden-images.lock.yaml")); err != nil {
		t.Fatal(err)
	}
	replaceIn(t, filepath.Join(example, "base/kustomization.yaml"), "- golden-images.lock.yaml\n", "")
	replaceIn(t, filepath.Join(example, "production/kustomization.yaml"), "- nodes.yaml\n", "- nodes.yaml\n- golden-images.lock.yaml\n")
	if got = r.run(t, old, "build", "--enable-alpha-plugins", "--enable-exec", filepath.Join(example, "production")); got.status != 0 ||
		!strings.Contains(got.stdout, "dict.architectures") {
		t.Errorf("the fix that GA016 names does not help: %+v", got)
	}
}

// afterAnotherFunction has another function return the items first: kustomize then names a
// file for each, which nobody has.
func afterAnotherFunction(t *testing.T, render func(t *testing.T, dir string) outcome) {
	t.Parallel()
	dir := copied(t, "examples/kustomize/production")
	base := tree(t, filepath.Join(repository(t), "examples/kustomize/base"))
	for name, text := range base {
		if name != "kustomization.yaml" {
			write(t, filepath.Join(dir, name), text)
		}
	}
	write(t, filepath.Join(dir, "cat.sh"), "#!/bin/sh\ncat\n")
	if err := os.Chmod(filepath.Join(dir, "cat.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cat.yaml"),
		"apiVersion: example.com/v1\nkind: Cat\nmetadata:\n  name: cat\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./cat.sh}\n")
	write(t, filepath.Join(dir, "kustomization.yaml"),
		"resources: [hyperconverged.yaml, nodes.yaml, golden-images.lock.yaml]\ntransformers: [cat.yaml, golden-images.yaml]\n")
	got := render(t, dir)
	if got.status != 0 || !strings.Contains(got.stderr, "GA107") {
		t.Fatalf("this proves nothing: %+v", got)
	}
	if strings.Contains(got.stderr, ".yaml") {
		t.Errorf("a finding names a file that does not exist:\n%s", got.stderr)
	}
}
