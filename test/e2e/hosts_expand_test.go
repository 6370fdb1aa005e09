package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestExpansion runs the golden directories of the expansion, which need no
// registry, through real kustomize and kpt: what these make of them is what
// the function's own test expects.
func TestExpansion(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")
	kpts := map[string]string{"kpt": build(t, filepath.Join(repository(t), "test/e2e/kptfn"), ".", "kpt")}
	if installed, err := exec.LookPath("kpt"); err == nil {
		kpts["installed kpt"] = installed
	}
	dirs, err := filepath.Glob(filepath.Join(repository(t), "fn/testdata/golden/expand-*"))
	if err != nil || len(dirs) < 20 {
		t.Fatalf("want at least 20 golden directories, got %d (%v)", len(dirs), err)
	}
	for _, dir := range dirs {
		situation := goldenOf(t, dir)
		t.Run(filepath.Base(dir)+"/kustomize", func(t *testing.T) {
			t.Parallel()
			expandByKustomize(t, r, kustomize, situation)
		})
		for name, kpt := range kpts {
			t.Run(filepath.Base(dir)+"/"+name, func(t *testing.T) {
				t.Parallel()
				expandByKpt(t, r, kpt, situation)
			})
		}
	}
}

// golden is a situation of the function's golden test.
type golden struct {
	input, config string
	expected      map[string]string // by object
	fails         bool
}

func goldenOf(t *testing.T, dir string) golden {
	t.Helper()
	files := tree(t, dir)
	if files["images.yaml"] != "" {
		t.Fatalf("%s asks a registry: no host could run it", dir)
	}
	return golden{
		input: files["input.yaml"], config: files["config.yaml"],
		expected: objects(t, files["expected.yaml"]), fails: strings.Contains("\n"+files["findings.txt"], "\nerror "),
	}
}

func expandByKustomize(t *testing.T, r runner, kustomize string, g golden) {
	t.Helper()
	exec := "  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: goldenarch}\n"
	dir := written(t, map[string]string{
		"kustomization.yaml": "resources: [input.yaml]\ntransformers: [config.yaml]\n",
		"input.yaml":         withoutPlaces(g.input),
		"config.yaml":        strings.Replace(g.config, "metadata:\n", "metadata:\n"+exec, 1),
	})
	got := r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir)
	if strings.Contains(g.input, "config.kubernetes.io/path: golden-images/") {
		// What an earlier run emitted is known by its file, and kustomize tells
		// no files: with the same content it is left alone, else in the way. One
		// that is there twice kustomize refuses itself.
		if got.status != 0 && !strings.Contains(got.stderr, "GA511") && !strings.Contains(got.stderr, "already registered id") {
			t.Errorf("status %d\n%s", got.status, got.stderr)
		}
		return
	}
	if (got.status != 0) != g.fails {
		t.Fatalf("status %d, the golden test fails: %v\n%s", got.status, g.fails, got.stderr)
	}
	if g.fails {
		if got.stdout != "" {
			t.Errorf("half a result:\n%s", got.stdout)
		}
		return
	}
	if diff := cmp.Diff(g.expected, objects(t, got.stdout)); diff != "" {
		t.Errorf("kustomize's output (-golden +kustomize):\n%s", diff)
	}
}

func expandByKpt(t *testing.T, r runner, kpt string, g golden) {
	t.Helper()
	dir := written(t, map[string]string{
		"Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: package
pipeline:
  mutators:
  - exec: goldenarch
    configPath: config.yaml
`,
		"config.yaml": g.config,
	})
	place(t, dir, g.input)
	before := tree(t, dir)
	got := r.run(t, kpt, "fn", "render", dir, "--allow-exec")
	if (got.status != 0) != g.fails {
		t.Fatalf("status %d, the golden test fails: %v\n%s%s", got.status, g.fails, got.stdout, got.stderr)
	}
	after := tree(t, dir)
	if g.fails {
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("files were touched:\n%s", diff)
		}
		return
	}
	var all []string
	for file, content := range after {
		if file != "Kptfile" && file != "config.yaml" {
			all = append(all, content)
		}
	}
	if diff := cmp.Diff(g.expected, objects(t, strings.Join(all, "---\n"))); diff != "" {
		t.Errorf("kpt's package (-golden +kpt):\n%s", diff)
	}
	if again := r.run(t, kpt, "fn", "render", dir, "--allow-exec"); again.status != 0 {
		t.Fatalf("second run: status %d\n%s%s", again.status, again.stdout, again.stderr)
	}
	if diff := cmp.Diff(after, tree(t, dir)); diff != "" {
		t.Errorf("a second run changed something:\n%s", diff)
	}
}

// place writes each document of a stream to the file that it names.
func place(t *testing.T, dir, stream string) {
	t.Helper()
	for document := range strings.SplitSeq(stream, "---\n") {
		file := "input.yaml"
		for line := range strings.SplitSeq(document, "\n") {
			if path, ok := strings.CutPrefix(strings.TrimSpace(line), "config.kubernetes.io/path: "); ok {
				file = path
			}
		}
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		content := withoutPlaces(document)
		if earlier, err := os.ReadFile(file); err == nil {
			content = string(earlier) + "---\n" + content
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// withoutPlaces takes out of a stream the annotations that only a host sets.
func withoutPlaces(stream string) string {
	lines := slices.DeleteFunc(strings.Split(stream, "\n"), func(line string) bool {
		return strings.Contains(line, "config.kubernetes.io/path: ") || strings.Contains(line, "config.kubernetes.io/index: ")
	})
	return strings.Join(lines, "\n")
}

// objects returns the objects of a stream as JSON, by kind, namespace and name,
// without the annotations of hosts.
func objects(t *testing.T, stream string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for document := range strings.SplitSeq(withoutPlaces(stream), "---\n") {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(document), &o); err != nil {
			t.Fatal(err)
		}
		metadata, ok := o["metadata"].(map[string]any)
		if !ok {
			continue // nothing between two marks
		}
		if notes, _ := metadata["annotations"].(map[string]any); len(notes) == 0 {
			delete(metadata, "annotations")
		}
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		out[fmt.Sprint(o["kind"], "/", metadata["namespace"], "/", metadata["name"])] = string(data)
	}
	return out
}
