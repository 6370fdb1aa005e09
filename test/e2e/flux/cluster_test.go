package flux

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// TestFluxBuildsTheRendered: by the Kustomizations of the example Flux takes what
// was rendered, from the repository or from the artifact, and changes nothing.
func TestFluxBuildsTheRendered(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository(t), example, "rendered/manifests.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for file, artifact := range map[string]struct {
		reason string
		holds  string // the part of the example that is in it
		source string
	}{
		"from-git.yaml": {"the repository has all of it", ".", "GitRepository"},
		"from-oci.yaml": {"flux push artifact --path rendered", "rendered", "OCIRepository"},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			ks := kustomizationOf(t, file, artifact.source)
			root := t.TempDir()
			if err := os.CopyFS(root, os.DirFS(filepath.Join(repository(t), example, artifact.holds))); err != nil {
				t.Fatal(err)
			}
			path, _, err := unstructured.NestedString(ks.Object, "spec", "path")
			if err != nil {
				t.Fatal(err)
			}
			resources, err := builtAt(t, root, filepath.Join(root, path), ks)
			if err != nil {
				t.Fatalf("%s: %v", artifact.reason, err)
			}
			if diff := cmp.Diff(objects(t, string(text)), substituted(t, resources, nil)); diff != "" {
				t.Errorf("%s: -rendered +Flux:\n%s", artifact.reason, diff)
			}
		})
	}
}

// kustomizationOf returns the Kustomization of a file, whose source is beside it.
func kustomizationOf(t *testing.T, file, source string) unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository(t), example, "cluster", file))
	if err != nil {
		t.Fatal(err)
	}
	byKind := map[string]unstructured.Unstructured{}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			t.Fatal(err)
		}
		byKind[o.GetKind()] = o
	}
	ks, repo := byKind["Kustomization"], byKind[source]
	from, _, err := unstructured.NestedStringMap(ks.Object, "spec", "sourceRef")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"kind": source, "name": repo.GetName()}, from); diff != "" || repo.GetNamespace() != ks.GetNamespace() {
		t.Fatalf("the Kustomization has another source (-there +named):\n%s", diff)
	}
	return ks
}
