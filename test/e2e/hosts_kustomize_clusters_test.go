package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kustomizeClusters are the overlays of the example beside production.
func kustomizeClusters(t *testing.T, render func(t *testing.T, dir string) outcome) {
	of := func(t *testing.T, dir string) outcome {
		t.Helper()
		got := render(t, filepath.Join(repository(t), "examples/kustomize", dir))
		if got.status != 0 {
			t.Fatalf("%s: status %d, want 0\n%s", dir, got.status, got.stderr)
		}
		return got
	}

	// The base and the lock are one; that the nodes differ, and nothing else,
	// makes the clusters differ.
	t.Run("EachClusterByItsNodes", func(t *testing.T) {
		t.Parallel()
		production, edge := of(t, "production"), of(t, "edge")
		for _, block := range blocks(t, "examples/kustomize/README.md", "yaml edge") {
			if !strings.Contains(edge.stdout, block) || strings.Contains(production.stdout, block) {
				t.Errorf("the README promises, for edge and not for production,\n%s\nedge has\n%s", block, edge.stdout)
			}
		}
		if strings.Contains(edge.stdout, "enableMultiArchBootImageImport") {
			t.Errorf("one architecture needs no gate:\n%s", edge.stdout)
		}
		if !strings.HasPrefix(edge.stderr, "warning GA104 ") {
			t.Errorf("that a template was disabled is not the first thing said:\n%s", edge.stderr)
		}
		if kinds := kinds(edge.stdout); !cmp.Equal(kinds, []string{"HyperConverged"}) {
			t.Errorf("the output has the kinds %q", kinds)
		}
	})

	// The component of edge has the very configuration of production.
	t.Run("ComponentIsTheSameAsTransformers", func(t *testing.T) {
		t.Parallel()
		dir := copied(t, "examples/kustomize")
		replaceIn(t, filepath.Join(dir, "production/kustomization.yaml"), "transformers:\n- golden-images.yaml\n", "components:\n- ../components/goldenarch\n")
		got := render(t, filepath.Join(dir, "production"))
		if diff := cmp.Diff(of(t, "production"), got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("by a component the output is another (-transformers +component):\n%s", diff)
		}
	})

	// What an overlay of the overlay changes comes after goldenarch; the result
	// of goldenarch is kept.
	t.Run("OverlayOfAnOverlay", func(t *testing.T) {
		t.Parallel()
		above := copied(t, "examples/kustomize")
		if err := os.WriteFile(filepath.Join(above, "kustomization.yaml"), []byte("resources: [production]\ncommonAnnotations: {team: virt}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		got := render(t, above)
		if got.status != 0 || !strings.Contains(got.stdout, "    team: virt\n") || !strings.Contains(got.stdout, "dict.architectures: amd64,arm64,s390x") {
			t.Errorf("status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
	})

	// The documentation tells where a patch of the CR belongs.
	t.Run("PatchesComeBeforeTransformersAndAfterComponents", func(t *testing.T) {
		t.Parallel()
		dir := copied(t, "examples/kustomize")
		for overlay, want := range map[string]string{"production": "amd64", "edge": "amd64,ppc64le"} {
			replaceIn(t, filepath.Join(dir, overlay, "kustomization.yaml"), "resources:\n", claimPatch+"resources:\n")
			got := render(t, filepath.Join(dir, overlay))
			if got.status != 0 || !strings.Contains(got.stdout, "dict.architectures: "+want+"\n      name: fedora-image-cron\n") {
				t.Errorf("%s: expected the claim %s, got status %d\n%s%s", overlay, want, got.status, got.stdout, got.stderr)
			}
		}
	})

	t.Run("GeneratorOfDataImportCronsOnly", func(t *testing.T) {
		t.Parallel()
		got := of(t, "generator")
		list := slices.Compact(slices.Sorted(slices.Values(kinds(got.stdout))))
		if want := []string{"DataImportCron", "DataSource", "Namespace", "Role", "RoleBinding"}; !cmp.Equal(list, want) {
			t.Errorf("the output has the kinds %q, want %q\n%s", list, want, got.stdout)
		}
		for _, name := range []string{"fedora-image-cron-amd64", "fedora-image-cron-arm64"} {
			if !strings.Contains(got.stdout, "  name: "+name+"\n") {
				t.Errorf("there is no %s in\n%s", name, got.stdout)
			}
		}
		if again := of(t, "generator"); again != got {
			t.Errorf("a second build differs:\n%s", cmp.Diff(got.stdout+got.stderr, again.stdout+again.stderr))
		}
	})
}

// claimPatch claims an architecture that the image does not have.
const claimPatch = `patches:
- target: {kind: HyperConverged}
  patch: |
    - op: add
      path: /spec/dataImportCronTemplates/0/metadata/annotations
      value: {ssp.kubevirt.io/dict.architectures: "amd64,ppc64le"}
`
