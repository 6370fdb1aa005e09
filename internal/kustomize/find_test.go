package kustomize

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestFind: what cannot be read has no objects, and a circle ends.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		want   string
	}{
		"Generator": {
			reason: "a configuration is one wherever it is listed",
			files:  map[string]string{"top/kustomization.yaml": "generators: [config.yaml]", "top/config.yaml": config},
			want:   "config",
		},
		"Directory": {
			reason: "a directory of configurations",
			files:  map[string]string{"top/kustomization.yaml": "transformers: [../t]", "t/kustomization.yaml": "resources: [config.yaml]", "t/config.yaml": config},
			want:   "config",
		},
		"Inline": {
			reason: "inline in a base",
			files: map[string]string{
				"top/kustomization.yaml": "bases: [../t]",
				"t/kustomization.yaml":   "transformers: ['" + `{"apiVersion": "goldenarch.dev/v1alpha1", "kind": "GoldenImages", "metadata": {"name": "here"}}` + "']",
			},
			want: "here",
		},
		"Circle":    {"it ends", map[string]string{"top/kustomization.yaml": "resources: [../t]", "t/kustomization.yaml": "resources: [../top]"}, ""},
		"Outside":   {"kustomize refuses it", map[string]string{"top/kustomization.yaml": "transformers: [../config.yaml]", "config.yaml": config}, ""},
		"NotListed": {"it does nothing", map[string]string{"top/kustomization.yaml": "resources: [cr.yaml]", "top/cr.yaml": cr, "top/config.yaml": config}, ""},
		"Broken":    {"nor does what is no YAML", map[string]string{"top/kustomization.yaml": "transformers: [config.yaml]", "top/config.yaml": config + "x: ["}, ""},
		"NoYAML":    {"so with the kustomization", map[string]string{"top/kustomization.yaml": "transformers: [config.yaml", "top/config.yaml": config}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			found, err := Find(written(t, tc.files), isGoldenImages)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if found != nil {
				got = found.GetName()
			}
			if got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
	if found, err := Find(t.TempDir(), func(*yaml.RNode) bool { return true }); found != nil || err != nil {
		t.Errorf("a directory without a kustomization lists %v, %v", found, err)
	}
}

// TestFindThroughALink: what a directory lists is beside the place that a link leads to, as in
// kustomize.
func TestFindThroughALink(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{
		"top/kustomization.yaml": "resources: [link]", "shared/base/kustomization.yaml": "resources: [../more]",
		"shared/more/kustomization.yaml": "transformers: [config.yaml]", "shared/more/config.yaml": config,
	})
	if err := os.Symlink("../shared/base", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	const want = "shared/more/config.yaml"
	for _, dir := range []string{top, filepath.Join(top, "link")} {
		found, err := Find(dir, isGoldenImages)
		if found == nil || err != nil {
			t.Errorf("%s: want the configuration, got %v, %v", dir, found, err)
			continue
		}
		if file, _ := object.Place(found); below(t, filepath.Dir(top), file) != want {
			t.Errorf("%s: want the file %s, got %s", dir, want, file)
		}
	}
}

// TestFindHasAnEnd: links are one place however they are named, and what refers to
// more than any repository has is an error.
func TestFindHasAnEnd(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{"top/kustomization.yaml": "resources: [b, c, cr.yaml]", "top/cr.yaml": cr})
	for _, name := range []string{"b", "c"} {
		if err := os.Symlink(".", filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
	asked := 0
	if found, err := Find(top, func(*yaml.RNode) bool { asked++; return false }); found != nil || err != nil || asked != 1 {
		t.Errorf("want the one object asked for once, got %d times, %v", asked, err)
	}
	var list strings.Builder
	for i := range maxEntries + 1 {
		fmt.Fprintf(&list, "- f%d.yaml\n", i)
	}
	files := map[string]string{"top/kustomization.yaml": "resources:\n" + list.String()}
	if _, err := Find(written(t, files), func(*yaml.RNode) bool { return false }); !errors.Is(err, errEntries) {
		t.Errorf("want %v, got %v", errEntries, err)
	}
}

// TestOutsideIsNotLookedAt: neither a resource nor a kustomization that is a link out
// of its directory is read, as in kustomize.
func TestOutsideIsNotLookedAt(t *testing.T) {
	t.Parallel()
	top := written(t, map[string]string{
		"top/kustomization.yaml": "resources: [../t]\ntransformers: [link.yaml]", "config.yaml": config,
		"elsewhere.yaml": "transformers: [config.yaml]", "t/config.yaml": config,
	})
	for link, target := range map[string]string{"link.yaml": "../config.yaml", "../t/kustomization.yaml": "../elsewhere.yaml"} {
		if err := os.Symlink(target, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := Find(top, isGoldenImages); found != nil || err != nil {
		t.Errorf("want nothing, got %v, %v", found, err)
	}
}
