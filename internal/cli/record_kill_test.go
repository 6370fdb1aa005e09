package cli

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/layout"
)

// TestRecordIsKilled: whenever the process ends, what the index names is there, and
// the next run goes on.
func TestRecordIsKilled(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	images := []string{"x/fedora:1", "x/rhel10-guest:latest", "x/single:1"}
	args := []string{"resolve", "--registry-insecure", l.registry.Host(), "--record"}
	var refs []string
	for _, image := range images {
		refs = append(refs, l.ref(image))
	}
	child := goldenarch(t, slices.Concat(args, []string{l.path("first")}, refs)...)
	start := time.Now()
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	longest := time.Since(start)
	dice := rand.New(rand.NewPCG(1, 2))
	whole := map[int]int{}
	kills := killsOf(t, 30)
	for turn := range kills {
		dir := l.path("run" + string(rune('a'+turn%10))) // each is gone on with twice
		child := goldenarch(t, slices.Concat(args, []string{dir}, refs)...)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(killTime(dice, turn, kills, longest), func() { _ = child.Process.Kill() })
		_ = child.Wait() // most are killed
		timer.Stop()
		if _, err := os.Stat(filepath.Join(dir, "oci-layout")); err != nil {
			whole[-1]++
			continue
		}
		recorded, err := layout.Open(dir)
		if err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
		for _, e := range recorded.Entries() {
			if _, err := recorded.Blob(e.Digest, e.Size); err != nil {
				t.Errorf("turn %d: %s: %v", turn, e.Name, err)
			}
		}
		whole[len(recorded.Entries())]++
	}
	if t.Logf("entries: %v", whole); whole[-1]+whole[0] == 0 {
		t.Error("no run was killed before it recorded anything")
	}
	for turn := range 10 {
		if out, err := goldenarch(t, slices.Concat(args, []string{l.path("run" + string(rune('a'+turn)))}, refs)...).CombinedOutput(); err != nil {
			t.Errorf("the next run does not go on: %v\n%s", err, out)
		}
	}
}
