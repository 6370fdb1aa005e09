package argocd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingToRender: an empty answer would be taken for "no manifests", and with
// pruning everything would be deleted.
func TestNothingToRender(t *testing.T) {
	t.Parallel()
	const nothing = "there is nothing to render: the input has no manifests for the cluster"
	for name, tc := range map[string]struct {
		reason, path string
		files        map[string]string
		says         string
		found        bool // without a choice
	}{
		// Argo CD sends no empty repository (argo-cd util/cmp/stream.go: SendRepoStream).
		"Repository": {reason: "nothing at all", path: ".", says: "could not find cmp-server plugin"},
		"Directory": {
			reason: "nothing in the Application's directory",
			path:   "clusters/production",
			files:  map[string]string{"README.md": "empty\n"},
			says:   nothing,
		},
		"OnlyForUs": {
			reason: "nothing that is for the cluster", path: "app", says: nothing, found: true,
			files: map[string]string{"app/g.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := repo{root: t.TempDir(), path: tc.path}
			for file, text := range tc.files {
				r.write(t, file, text)
			}
			if err := os.MkdirAll(filepath.Join(r.root, r.path), 0o755); err != nil {
				t.Fatal(err)
			}
			if objects, err := r.generate(t.Context(), named()); err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: got %d objects and %v, want the error %q", tc.reason, len(objects), err, tc.says)
			}
			// What is none of the plugin's Argo CD takes for a directory of manifests.
			if objects, err := r.generate(t.Context(), nil); (err != nil) != tc.found || len(objects) != 0 {
				t.Errorf("%s: without a choice: got %d objects and %v", tc.reason, len(objects), err)
			}
		})
	}
}
