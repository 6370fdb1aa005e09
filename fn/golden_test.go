package fn_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kptfn "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

var update = flag.Bool("update", false, "write what the function does into the golden directories")

// sharedDir has the files that a golden directory without one of its own uses: the
// configuration and the images.
const sharedDir = "testdata/shared"

// TestGolden runs the function on each directory of testdata/golden: input.yaml
// with config.yaml and the images of images.yaml gives expected.yaml and the
// lines of findings.txt. The configuration and the images are those of testdata/shared
// where a directory has none; without findings there is no findings.txt. A second run on the output changes nothing, and kpt's
// own SDK reads it.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, dir := range goldenDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			input := readFile(t, dir, "input.yaml")
			config := readFile(t, dir, "config.yaml")
			images := answersOf(t, readFile(t, dir, "images.yaml"))
			output, findings, err := runOn(t, input, config, images, dir)
			check(t, dir, "expected.yaml", output)
			check(t, dir, "findings.txt", findings)
			if failed := strings.Contains("\n"+findings, "\nerror "); failed != errors.Is(err, fn.ErrFindings) {
				t.Errorf("error findings: %v, but Process returned %v", failed, err)
			}
			if err != nil {
				if before := roundTrip(t, input); before != output {
					t.Errorf("a failed run must leave the items alone:\n%s", cmp.Diff(before, output))
				}
				return
			}
			before := output
			if strings.Contains(config, "inputs:") {
				before = input // a generator never gets its own output
			}
			if again, _, err := runOn(t, before, config, images, dir); err != nil || again != output {
				t.Errorf("a second run must change nothing (error %v):\n%s", err, cmp.Diff(output, again))
			}
			readByKpt(t, output)
		})
	}
}

// goldenDirs returns the golden directories.
func goldenDirs(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("testdata/golden/*")
	if err != nil || len(dirs) < 40 {
		t.Fatalf("want at least 40 golden directories, got %d (%v)", len(dirs), err)
	}
	return dirs
}

// runOn runs the function and returns the items and the findings as text.
func runOn(t *testing.T, input, config string, images registry.Resolver, dir string) (string, string, error) {
	t.Helper()
	rl := &framework.ResourceList{Items: readItems(t, input)}
	if items := readItems(t, config); len(items) > 0 {
		rl.FunctionConfig = items[0]
	}
	function := fn.Function{Options: fn.Options{Dir: dir}}.Opened(func(o registry.Options) (registry.Resolver, error) {
		return registry.Mirrored(images, images, o.Mirrors), nil
	})
	found, err := function.Findings(t.Context(), rl)
	if len(rl.Results) != len(found.Stories()) {
		t.Errorf("want a result for each of %d findings, got %d", len(found.Stories()), len(rl.Results))
	}
	return writeItems(t, rl.Items), found.String(), err
}

func readItems(t *testing.T, text string) []*yaml.RNode {
	t.Helper()
	items, err := (&kio.ByteReader{Reader: strings.NewReader(text), OmitReaderAnnotations: true, DisableUnwrapping: true}).Read()
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func writeItems(t *testing.T, items []*yaml.RNode) string {
	t.Helper()
	var out bytes.Buffer
	if err := (kio.ByteWriter{Writer: &out, KeepReaderAnnotations: true}).Write(items); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func roundTrip(t *testing.T, text string) string {
	t.Helper()
	return writeItems(t, readItems(t, text))
}

// readByKpt reads each item with the SDK that kpt's functions are written in.
func readByKpt(t *testing.T, output string) {
	t.Helper()
	objects, err := kptfn.ParseKubeObjects([]byte(output))
	if err != nil {
		t.Fatalf("kpt's SDK cannot read the output: %v", err)
	}
	for _, o := range objects {
		again, err := kptfn.ParseKubeObject([]byte(o.String()))
		if err != nil {
			t.Fatalf("kpt's SDK cannot read what it wrote: %v", err)
		}
		if diff := cmp.Diff(o.String(), again.String()); diff != "" {
			t.Errorf("the output does not round-trip in kpt's SDK:\n%s", diff)
		}
	}
}

// fixed answers for images from a list: reference -> platforms, or an error.
type fixed map[string]struct {
	Platforms []string `json:"platforms"`
	Error     string   `json:"error"`
}

func answersOf(t *testing.T, text string) fixed {
	t.Helper()
	var f fixed
	if err := k8syaml.UnmarshalStrict([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f fixed) Resolve(_ context.Context, ref imageref.Reference) (registry.Image, error) {
	answer, ok := f[ref.String()]
	switch {
	case !ok:
		return registry.Image{}, errors.New(ref.String() + ": the test has no such image")
	case answer.Error != "":
		return registry.Image{}, errors.New(answer.Error)
	}
	image := registry.Image{Reference: ref.String()}
	for _, p := range answer.Platforms {
		part := append(strings.Split(p, "/"), "")
		image.Platforms = append(image.Platforms, arch.Platform{OS: part[0], Architecture: arch.Arch(part[1]), Variant: part[2]})
	}
	return image, nil
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, os.ErrNotExist) && dir != sharedDir {
		return readFile(t, sharedDir, name)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

// TestGoldenSharesWhatIsTheSame: a case has the files by which it differs from others.
func TestGoldenSharesWhatIsTheSame(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*/*")
	if err != nil {
		t.Fatal(err)
	}
	shared := map[string]string{"findings.txt": ""}
	for _, name := range []string{"config.yaml", "images.yaml"} {
		if shared[name] = readFile(t, sharedDir, name); shared[name] == "" {
			t.Fatalf("%s has no %s", sharedDir, name)
		}
	}
	for _, file := range files {
		dir, name := filepath.Split(file)
		if same, ok := shared[name]; ok && readFile(t, dir, name) == same {
			t.Errorf("%s says what is shared already: remove it", file)
		}
	}
}

// check holds what came out against a golden file, or writes it there.
func check(t *testing.T, dir, name, got string) {
	t.Helper()
	if *update && got == "" && name == "findings.txt" {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return
	}
	if *update {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(readFile(t, dir, name), got); diff != "" {
		t.Errorf("%s (-golden +got); refresh with: go test ./fn -update\n%s", name, diff)
	}
}
