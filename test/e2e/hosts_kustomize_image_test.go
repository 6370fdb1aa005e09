package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// publishedImage is what the examples name.
const publishedImage = "ghcr.io/goldenarch/goldenarch:v0.1.0"

// docker returns a runner for which docker is podman, as with Debian's
// podman-docker: kustomize calls a program of this name and no other.
func (e engines) docker(t *testing.T) runner {
	t.Helper()
	return e.withProgram(t, "docker", `exec podman "$@"`).runner
}

// lookup returns a variable of the runner's environment; the last one counts.
func (r runner) lookup(name string) string {
	var found string
	for _, variable := range r.env {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			found = value
		}
	}
	return found
}

func kustomizeRunsTheImage(t *testing.T, e engines) {
	r := e.docker(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")

	t.Run("TransformerOfTheExample", func(t *testing.T) {
		program := r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", filepath.Join(repository(t), kustomizeProduction))
		image := r.run(t, kustomize, "build", "--enable-alpha-plugins", filepath.Join(repository(t), "examples/kustomize/image"))
		if image.status != 0 || image.stdout == "" {
			t.Fatalf("status %d\n%s", image.status, image.stderr)
		}
		if diff := cmp.Diff(program, image, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("the image writes something else than the program (-program +image):\n%s", diff)
		}
	})

	t.Run("WithoutNetwork", func(t *testing.T) { kustomizeHidesTheNetwork(t, r, kustomize) })

	// Two clusters over one base, one of them by a component; and the cluster that
	// has the images made here.
	t.Run("OverlaysAndExpansion", func(t *testing.T) {
		const configuration = "components/goldenarch/golden-images.yaml"
		programs, images := copied(t, "examples/kustomize"), copied(t, "examples/kustomize")
		expanded := "spec:\n  platform: kubernetes\n  expand: {mode: Emit}\n"
		for _, dir := range []string{programs, images} {
			expanding := filepath.Join(dir, "expanding")
			if err := os.CopyFS(expanding, os.DirFS(filepath.Join(dir, "production"))); err != nil {
				t.Fatal(err)
			}
			replaceIn(t, filepath.Join(expanding, "golden-images.yaml"), "spec:\n", expanded)
		}
		for _, file := range []string{configuration, "production/golden-images.yaml", "expanding/golden-images.yaml"} {
			replaceIn(t, filepath.Join(images, file), "exec: {path: goldenarch}", "container: {image: "+publishedImage+"}")
		}
		for overlay, want := range map[string]string{
			"production": "dict.architectures: amd64,arm64,s390x", "edge": "dict.architectures: amd64,arm64,s390x", "expanding": "kind: DataImportCron\n",
		} {
			program := r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", filepath.Join(programs, overlay))
			image := r.run(t, kustomize, "build", "--enable-alpha-plugins", filepath.Join(images, overlay))
			if image.status != 0 || !strings.Contains(image.stdout, want) {
				t.Errorf("%s: status %d, expected %q\n%s%s", overlay, image.status, want, image.stdout, image.stderr)
			}
			if diff := cmp.Diff(program, image, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("%s: the image writes something else than the program (-program +image):\n%s", overlay, diff)
			}
		}
	})

	t.Run("ErrorFindingFailsTheBuild", func(t *testing.T) {
		example := copied(t, "examples/kustomize")
		config := filepath.Join(example, "image/golden-images.yaml")
		replaceIn(t, config, "  cluster:\n", "  unknown:\n")
		got := r.run(t, kustomize, "build", "--enable-alpha-plugins", filepath.Dir(config))
		if got.status != 1 || got.stdout != "" || !strings.HasPrefix(got.stderr, "error GA005") {
			t.Errorf("status %d, %d bytes of output and\n%s", got.status, len(got.stdout), got.stderr)
		}
	})

	// A container has no files of the kustomization, so a generator cannot read
	// its inputs; it says so.
	t.Run("GeneratorCannotReadItsInputs", func(t *testing.T) {
		dir := generator(t)
		replaceIn(t, filepath.Join(dir, "golden-images.yaml"), "exec: {path: goldenarch}", "container: {image: "+publishedImage+"}")
		got := r.run(t, kustomize, "build", "--enable-alpha-plugins", dir)
		if got.status != 1 || got.stdout != "" || !strings.Contains(got.stderr, "a container sees no files") {
			t.Errorf("status %d, %d bytes of output and\n%s", got.status, len(got.stdout), got.stderr)
		}
	})
}

// replaceIn replaces a text that a file has.
func replaceIn(t *testing.T, file, text, with string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), text) {
		t.Fatalf("%s has no %q", file, text)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), text, with, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}
