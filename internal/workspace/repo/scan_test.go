package repo

import (
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
)

// TestOwnedBelowTheRoot: the search for a kustomization above a directory ends at the root of the
// file system, where containers start.
func TestOwnedBelowTheRoot(t *testing.T) {
	t.Parallel()
	root := string(filepath.Separator)
	dir, file := filepath.Join(root, "a"), filepath.Join(root, "a", "x.yaml")
	s := scan{root: root, real: map[string]string{root: root, dir: dir, file: file}, named: map[string]bool{file: true}}
	if s.isOwned(&manifest.Dir{Path: dir, Files: []string{file}}) {
		t.Error("there is no kustomization")
	}
	s.refs = map[string]kustomize.References{root: {}}
	if !s.isOwned(&manifest.Dir{Path: dir, Files: []string{file}}) {
		t.Error("the kustomization of the root names the file")
	}
}
