package edit

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
)

// TestSessionReadsSharedFilesOnce: to locate findings, a session reads the files that
// overlays share once, however many overlays there are, and each overlay's own files. It
// finds what Located finds.
func TestSessionReadsSharedFilesOnce(t *testing.T) {
	t.Parallel()
	const overlays = 6
	root := t.TempDir()
	write(t, filepath.Join(root, "base"), "kustomization.yaml", "resources: [cr.yaml]\n")
	write(t, filepath.Join(root, "base"), "cr.yaml", cr+"spec:\n  gate: true\n  other: true\n")
	s := &Session{}
	var wait sync.WaitGroup
	for i := range overlays {
		dir := filepath.Join(root, fmt.Sprintf("overlay-%d", i))
		write(t, dir, "kustomization.yaml", "resources: [../base]\npatches: [{path: p.yaml}]\n")
		write(t, dir, "p.yaml", cr+fmt.Sprintf("spec:\n  number: %d\n", i))
		wait.Go(func() {
			built, err := buildDir(dir)
			if err != nil {
				t.Error(err)
				return
			}
			at := object.All(built.Items)[0].At
			found := finding.List{{Object: at, Field: "spec.other"}, {Object: at, Field: "spec.number"}}
			got, want := s.Located([]kustomize.Built{built}, found), new(Session).Located([]kustomize.Built{built}, found)
			for i := range want {
				if got[i].File != want[i].File || got[i].Line != want[i].Line || want[i].Line == 0 {
					t.Errorf("%s %s: want %s:%d, got %s:%d", dir, found[i].Field, want[i].File, want[i].Line, got[i].File, got[i].Line)
				}
			}
		})
	}
	wait.Wait()
	built, err := buildDir(filepath.Join(root, "overlay-0"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "base"), "cr.yaml", "# another line\n"+cr+"spec:\n  gate: true\n  other: true\n")
	at := finding.List{{Object: object.All(built.Items)[0].At, Field: "spec.other"}}
	if got := s.Located([]kustomize.Built{built}, at); got[0].Line != 6 {
		t.Error("the session reads the base again for each overlay")
	}
}
