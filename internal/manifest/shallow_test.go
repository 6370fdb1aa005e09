package manifest

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

func TestFilesIn(t *testing.T) {
	t.Parallel()
	dir := filetest.New(t, map[string]string{
		"b.json": "{}", "a.yaml": "", "README.md": "", "ignored.yml": "", ".krmignore": "ignored.yml\n", "kustomization.yaml": "", "below/c.yaml": "",
	})
	got, err := FilesIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.json")}, got); diff != "" {
		t.Errorf("only manifests, only here, and not what is ignored (-want +got):\n%s", diff)
	}
	if _, err := FilesIn(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there has no list")
	}
}
