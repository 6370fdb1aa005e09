package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// habits are objects whose form kyaml's encoder and kustomize's differ in.
const habits = `apiVersion: v1
kind: ConfigMap
metadata:
  name: habits
  annotations: {}
data:
  long: "aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb cccccccccccccccccccccccccc ddddddddddddddddddddddddddd"
  yes: "y"
  octal: "0777"
  date: "2026-01-02"
  comma: a,b
  folded: >
    one
      two
  kept: |+
    text

  tabs: "a\tb\n"
  unicode: "é \u2028 ✓ 😀"
---
apiVersion: example.com/v1
kind: Numbers
metadata: {name: numbers}
spec:
  list: [1, 2.50, 1e3, 0x10, null, [], {}]
  b10: 1
  b9: 2
  B: 3
  nested:
  - - a
    - - b
`

// TestRenderIsKustomizeBuild: what goldenarch does not change in a build leaves byte
// for byte as kustomize writes it, and what it does as kustomize writes it with our
// fields in their places.
func TestRenderIsKustomizeBuild(t *testing.T) {
	t.Parallel()
	const cr = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  annotations: {z: 'y', a: b} # c
spec:
  workloads: {}
  featureGates: {zz: true, aa: false}
  infra: {nodePlacement: {nodeSelector: {b: 'on', a: "1"}}}
`
	ours := func(text string) string {
		return strings.Replace(text, "    aa: false\n", "    aa: false\n    enableMultiArchBootImageImport: true\n", 1)
	}
	for name, tc := range map[string]struct {
		kustomization string
		edit          func(string) string
	}{
		"no CR":      {"resources: [habits.yaml]\n", strings.Clone},
		"CR first":   {"resources: [cr.yaml, habits.yaml]\nsortOptions: {order: fifo}\n", ours},
		"CR last":    {"resources: [habits.yaml, cr.yaml]\nsortOptions: {order: fifo}\nnamespace: x\n", ours},
		"sorted":     {"resources: [cr.yaml, habits.yaml]\ncommonAnnotations: {note: \"1\"}\n", ours},
		"with notes": {"resources: [cr.yaml]\nbuildMetadata: [originAnnotations]\n", ours},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"kustomization.yaml": tc.kustomization, "habits.yaml": habits, "cr.yaml": cr} {
			filetest.File(t, filepath.Join(dir, file), text)
		}
		options := krusty.MakeDefaultOptions()
		options.Reorder = krusty.ReorderOptionUnspecified
		resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
		if err != nil {
			t.Fatal(err)
		}
		built, err := resources.AsYaml()
		if err != nil {
			t.Fatal(err)
		}
		status, out, messages := runFed(t, "", append([]string{"render", dir}, decides...)...)
		if status != statusOK {
			t.Fatalf("%s: %s", name, messages)
		}
		if diff := cmp.Diff(tc.edit(string(built)), out); diff != "" {
			t.Errorf("%s (-kustomize +render):\n%s", name, diff)
		}
	}
}
