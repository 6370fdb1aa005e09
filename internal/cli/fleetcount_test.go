package cli

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// writeFleet writes overlays that share bases, and returns their directory.
func writeFleet(t *testing.T, overlays, bases int) string {
	t.Helper()
	root := t.TempDir()
	write := func(name, text string) { filetest.File(t, filepath.Join(root, name), text) }
	for i := range bases {
		dir := fmt.Sprintf("bases/b%02d/", i)
		write(dir+"kustomization.yaml", "resources: [hco.yaml, lock.yaml]\n")
		write(dir+"hco.yaml", oneTemplate("v1beta1", "", ""))
		write(dir+"lock.yaml", lockOf("quay.io/acme/app:1", "amd64", "arm64"))
	}
	for i := range overlays {
		dir := fmt.Sprintf("overlays/c%04d/", i)
		write(dir+"kustomization.yaml", fmt.Sprintf("resources: [../../bases/b%02d, nodes.yaml]\n", i%bases))
		write(dir+"nodes.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\nmetadata: {name: nodes}\nspec: {workload: [amd64, arm64]}\n")
	}
	return root
}

// TestWorkOfAFleet: goldenarch builds each overlay once and no base by itself, and looks
// through each file once, however many overlays share it. So the work is linear in the
// number of overlays.
func TestWorkOfAFleet(t *testing.T) {
	t.Parallel()
	const bases = 4
	for _, overlays := range []int{40, 120} {
		root := writeFleet(t, overlays, bases)
		layout, err := repo.Scan(root, repo.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want := overlays + 2*bases; layout.Files != want {
			t.Errorf("want %d files read, got %d", want, layout.Files)
		}
		built := buildsOf(t, "check", "--offline", root)
		if len(built) != overlays {
			t.Errorf("want %d directories built, got %d", overlays, len(built))
		}
		for dir, times := range built {
			if times != 1 || filepath.Base(filepath.Dir(dir)) != "overlays" {
				t.Errorf("%s was built %d times", dir, times)
			}
		}
	}
}

// TestNoPatchIsNoSecondBuild: without a patch of goldenarch check reads nothing again.
func TestNoPatchIsNoSecondBuild(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(repository(t, filepath.Join("testdata", "fix", "overlay_gets_a_patch")), "overlays", "prod")
	for file, times := range buildsOf(t, "check", "--offline", dir) {
		if times != 1 {
			t.Errorf("%s was built %d times", file, times)
		}
	}
}

// buildsOf runs a command, which must find no broken input, and returns how often it built each directory.
func buildsOf(t *testing.T, args ...string) map[string]int {
	t.Helper()
	counts := counting{built: map[string]int{}}
	var out bytes.Buffer
	if status := Run(t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &out}, &counts); status > statusFailed || len(counts.built) == 0 {
		t.Fatalf("status %d, %d directories built:\n%s", status, len(counts.built), &out)
	}
	return counts.built
}

// counting builds kustomizations, and counts the builds of each directory.
type counting struct {
	builder

	mu    sync.Mutex
	built map[string]int
}

// Build implements kustomization.Builder.
func (c *counting) Build(ctx context.Context, request kustomize.Request) (kustomize.Result, error) {
	c.mu.Lock()
	c.built[request.Dir]++
	c.mu.Unlock()
	return c.builder.Build(ctx, request)
}
