package cli

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/files/filetest"
	"github.com/goldenarch/goldenarch/internal/fleet"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/repo"
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
		var mu sync.Mutex
		built := map[string]int{}
		c := &checkOptions{}
		c.streams.build = func(request kustomization.Request) (kustomization.Built, error) {
			mu.Lock()
			built[request.Dir]++
			mu.Unlock()
			return kustomization.Build(t.Context(), builder{}, request)
		}
		function := pipeline.Function{Open: registry.Open, Options: configuration.Options{Offline: true}}
		results := c.checkAll(t.Context(), "", (*fleet.Fleet)(nil).At(layout.Places), nil, function)
		if len(built) != overlays || len(results) != overlays {
			t.Errorf("want %d directories built and %d clusters checked, got %d and %d", overlays, overlays, len(built), len(results))
		}
		for dir, times := range built {
			if times != 1 || filepath.Base(filepath.Dir(dir)) != "overlays" {
				t.Errorf("%s was built %d times", dir, times)
			}
		}
		for _, one := range results {
			if !one.Rendered || len(one.CRs) != 1 {
				t.Errorf("%s: want one CR without an error, got %d\n%s", one.Path, len(one.CRs), one.Findings)
			}
		}
	}
}
