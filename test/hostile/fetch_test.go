//go:build unix

package hostile

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/kustomizationtest"
)

// TestKustomizationsFetchNothing: whatever a kustomization names, and however it
// writes that, no server is asked, no git is run, and nothing is printed.
func TestKustomizationsFetchNothing(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	called := filepath.Join(bin, "called")
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho \"$@\" >>"+called+"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range kustomizationtest.Vectors() {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				_, _ = w.Write([]byte(hco))
			}))
			defer server.Close()
			dir := filetest.New(t, kustomizationtest.Files(text, server.URL))
			path := "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")
			got := Run(t, []string{"render", "--offline", "--workload-architectures", "amd64", filepath.Join(dir, "top")}, "", Limits{Env: []string{path}})
			if got.Status != 1 || got.Stdout != "" {
				t.Errorf("want an error and no output, got %d and\n%s%s", got.Status, got.Stdout, got.Stderr)
			}
			if n := asked.Load(); n > 0 {
				t.Errorf("the server was asked %d times", n)
			}
		})
	}
	if calls := read(called); calls != "" {
		t.Errorf("git was run: %s", calls)
	}
}
