package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const kustomizeProduction = "examples/kustomize/production"

func TestKustomize(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")
	render := func(t *testing.T, dir string) outcome {
		t.Helper()
		return r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir)
	}

	t.Run("TransformerOfTheExample", func(t *testing.T) {
		t.Parallel()
		got := render(t, filepath.Join(repository(t), kustomizeProduction))
		if got.status != 0 {
			t.Fatalf("status %d, want 0\n%s", got.status, got.stderr)
		}
		for _, block := range blocks(t, "examples/kustomize/README.md", "yaml") {
			if !strings.Contains(got.stdout, block) {
				t.Errorf("the README promises\n%s\nwhich is not in the output\n%s", block, got.stdout)
			}
		}
		if kinds := kinds(got.stdout); !cmp.Equal(kinds, []string{"HyperConverged"}) {
			t.Errorf("the output has the kinds %q: node facts and configuration are never applied", kinds)
		}
		if again := render(t, filepath.Join(repository(t), kustomizeProduction)); again != got {
			t.Errorf("a second build differs from the first:\n%s", cmp.Diff(got.stdout+got.stderr, again.stdout+again.stderr))
		}
	})

	// kustomize says nothing when it leaves out an exec function for want of
	// --enable-exec. Our documentation warns of it; should kustomize begin to
	// speak, the warning can go.
	t.Run("TransformerIsLeftOutInSilenceWithoutEnableExec", func(t *testing.T) {
		t.Parallel()
		got := r.run(t, kustomize, "build", "--enable-alpha-plugins", filepath.Join(repository(t), kustomizeProduction))
		if got.status != 0 || got.stderr != "" {
			t.Errorf("status %d and %q, expected success in silence", got.status, got.stderr)
		}
		if !strings.Contains(got.stdout, "kind: HyperConverged") || strings.Contains(got.stdout, "dict.architectures") {
			t.Errorf("expected the CR as it was, got\n%s", got.stdout)
		}
	})

	t.Run("GeneratorIsLeftOutInSilenceWithoutEnableExec", func(t *testing.T) {
		t.Parallel()
		got := r.run(t, kustomize, "build", "--enable-alpha-plugins", generator(t))
		if want := (outcome{}); got != want {
			t.Errorf("got %+v, expected success with nothing on both streams", got)
		}
	})

	t.Run("GeneratorReadsItsInputs", func(t *testing.T) {
		t.Parallel()
		got := render(t, generator(t))
		if got.status != 0 {
			t.Fatalf("status %d, want 0\n%s", got.status, got.stderr)
		}
		transformed := render(t, filepath.Join(repository(t), kustomizeProduction))
		if diff := cmp.Diff(transformed.stdout, got.stdout); diff != "" {
			t.Errorf("as a generator it writes something else than as a transformer (-transformer +generator):\n%s", diff)
		}
	})

	kustomizeClusters(t, render)
	kustomizePrefix(t, render)
	t.Run("OlderThan5", func(t *testing.T) { kustomizeOld(t, r) })
	t.Run("AfterAnotherFunction", func(t *testing.T) { afterAnotherFunction(t, render) })

	t.Run("ErrorFindingFailsTheBuild", func(t *testing.T) {
		t.Parallel()
		overlay := copied(t, "examples/kustomize")
		kustomization := filepath.Join(overlay, "production", "kustomization.yaml")
		data, err := os.ReadFile(kustomization)
		if err != nil {
			t.Fatal(err)
		}
		// Without the nodes nothing says which architectures there are.
		without := strings.Replace(string(data), "- nodes.yaml\n", "", 1)
		if err := os.WriteFile(kustomization, []byte(without), 0o644); err != nil {
			t.Fatal(err)
		}
		got := render(t, filepath.Dir(kustomization))
		if got.status != 1 || got.stdout != "" {
			t.Errorf("status %d and %d bytes of output, want 1 and none\n%s", got.status, len(got.stdout), got.stderr)
		}
		if !strings.HasPrefix(got.stderr, "error GA") {
			t.Errorf("standard error does not begin with the finding:\n%s", got.stderr)
		}
	})
}

// generator makes a kustomization of the kustomize example's files, in which
// goldenarch is a generator.
func generator(t *testing.T) string {
	t.Helper()
	overlay := tree(t, filepath.Join(repository(t), kustomizeProduction))
	base := tree(t, filepath.Join(repository(t), "examples/kustomize/base"))
	return written(t, map[string]string{
		"kustomization.yaml":  "generators: [golden-images.yaml]\n",
		"golden-images.yaml":  overlay["golden-images.yaml"] + "  inputs: [hyperconverged.yaml, nodes.yaml, golden-images.lock.yaml]\n",
		"hyperconverged.yaml": base["hyperconverged.yaml"],
		"nodes.yaml":          overlay["nodes.yaml"],

		"golden-images.lock.yaml": base["golden-images.lock.yaml"],
	})
}

// kinds returns the kinds of the documents of a stream.
func kinds(stream string) []string {
	var list []string
	for line := range strings.SplitSeq(stream, "\n") {
		if kind, ok := strings.CutPrefix(line, "kind: "); ok {
			list = append(list, kind)
		}
	}
	return list
}

// TestKustomizeOldPlugin: kustomize finds the program below KUSTOMIZE_PLUGIN_HOME, and shows what
// goldenarch says of that; with the annotation that it names, the build works.
func TestKustomizeOldPlugin(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")
	program := own(t, r)
	home := t.TempDir()
	place := filepath.Join(home, "goldenarch.dev", "v1alpha1", "goldenimages", "GoldenImages")
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, place); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"top/hco.yaml": stepCR, "top/lock.yaml": stepLock, "top/nodes.yaml": stepNodes,
		"top/kustomization.yaml": "resources: [hco.yaml, lock.yaml, nodes.yaml]\ntransformers: [config.yaml]\n",
		"top/config.yaml":        "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: golden-images}\nspec: {lock: {mode: Require}}\n",
	}
	plugins := runner{env: append(slices.Clone(r.env), "KUSTOMIZE_PLUGIN_HOME="+home)}
	for _, listed := range []string{"transformers", "generators"} {
		files := maps.Clone(files)
		files["top/kustomization.yaml"] = strings.Replace(files["top/kustomization.yaml"], "transformers", listed, 1)
		got := plugins.run(t, kustomize, "build", "--enable-alpha-plugins", filepath.Join(laid(t, files), "top"))
		if got.status == 0 || !strings.Contains(got.stderr, "plugin of the old kind") || !strings.Contains(got.stderr, "config.kubernetes.io/function") {
			t.Errorf("%s: status %d\n%s", listed, got.status, got.stderr)
		}
	}
	_, annotation, is := strings.Cut(files["top/config.yaml"], "metadata: {name: golden-images")
	if !is {
		t.Fatal("the configuration has no metadata")
	}
	files["top/config.yaml"] = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: golden-images, " +
		`annotations: {config.kubernetes.io/function: "exec: {path: ` + program + `}"}` + annotation
	got := plugins.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", filepath.Join(laid(t, files), "top"))
	if got.status != 0 || !strings.Contains(got.stdout, "ssp.kubevirt.io/dict.architectures") {
		t.Errorf("with the annotation: status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
}
