package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra/doc"
)

// TestDocsAreFresh: docs/cli has what --help says, a page a verb.
func TestDocsAreFresh(t *testing.T) {
	t.Parallel()
	root := newRoot(Streams{})
	root.InitDefaultCompletionCmd("completion")
	root.DisableAutoGenTag = true
	made := t.TempDir()
	if err := doc.GenMarkdownTree(root, made); err != nil {
		t.Fatal(err)
	}
	const committed = "../../docs/cli"
	if *update {
		if err := os.RemoveAll(committed); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(committed, os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(pages(t, made), pages(t, committed)); diff != "" {
		t.Errorf("write them anew with 'make update' (-help +docs/cli):\n%s", diff)
	}
}

func pages(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages in %s: %v", dir, err)
	}
	out := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(file)] = string(data)
	}
	return out
}
