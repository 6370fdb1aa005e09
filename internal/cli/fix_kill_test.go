package cli

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/durable"
	"github.com/goldenarch/goldenarch/internal/filetest"
)

// TestFixIsKilled: whenever the process ends, each of three files is the old one or the
// new one, whole, and the next run makes all of them new and leaves nothing behind.
func TestFixIsKilled(t *testing.T) {
	t.Parallel()
	dir := repository(t, "testdata/fix/three_files")
	before := filesBelow(t, dir)
	args := []string{"fix", "overlay"}
	programDir(t) // the first test that asks for it builds it
	start := time.Now()
	if _, messages, status := runIn(t, dir, args...); status != statusOK {
		t.Fatal(messages)
	}
	longest := time.Since(start)
	after := filesBelow(t, dir)
	changed := 0
	for name := range before {
		if before[name] != after[name] {
			changed++
		}
	}
	if changed != 3 || len(before) != len(after) {
		t.Fatalf("want three changed files, got %d", changed)
	}
	dice := rand.New(rand.NewPCG(1, 2))
	half := 0
	journal := filepath.Join(dir, ".git", "goldenarch-journal.json")
	for turn := range killsOf(t, 20) {
		filetest.Write(t, dir, before)
		child := goldenarch(t, args...)
		child.Dir = dir
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = child.Wait()
		}()
		if wait := time.Duration(dice.IntN(300)) * time.Microsecond; turn%2 == 0 {
			wait = longest * time.Duration(40+dice.IntN(70)) / 100
			killAfter(child.Process, ended, wait)
		} else if appears(journal, ended) {
			killAfter(child.Process, ended, wait)
		}
		<-ended
		now := filesBelow(t, dir)
		for name := range before {
			if now[name] != before[name] && now[name] != after[name] {
				t.Fatalf("turn %d: %s is neither the old file nor the new one:\n%s", turn, name, now[name])
			}
		}
		if _, err := os.Lstat(journal); err == nil {
			half++
			if _, _, status := runIn(t, dir, "fix", "--check", "overlay"); status != statusFailed {
				t.Errorf("turn %d: --check does not report the run that was interrupted (%d)", turn, status)
			}
		}
		if turn%4 == 0 {
			if _, messages, status := runIn(t, dir, "fix", "--abort", "overlay"); status != statusOK {
				t.Fatalf("turn %d: --abort: %s", turn, messages)
			}
			// Whoever was killed at the end of the run has all new files, and no journal.
			if now := filesBelow(t, dir); !maps.Equal(withoutTemporaries(now), before) && !maps.Equal(now, after) {
				t.Fatalf("turn %d: --abort leaves:\n%s", turn, cmp.Diff(before, now))
			}
		}
		if _, messages, status := runIn(t, dir, args...); status != statusOK {
			t.Fatalf("turn %d: the next run: %s", turn, messages)
		}
		if diff := cmp.Diff(after, filesBelow(t, dir)); diff != "" {
			t.Fatalf("turn %d: the next run (-want +got):\n%s", turn, diff)
		}
	}
	if t.Logf("killed while the files were written: %d", half); half == 0 {
		t.Error("no run was killed while it wrote the files")
	}
}

// withoutTemporaries returns files without the temporary ones.
func withoutTemporaries(files map[string]string) map[string]string {
	out := maps.Clone(files)
	maps.DeleteFunc(out, func(name, _ string) bool { return durable.IsTemporary(filepath.Base(name)) })
	return out
}

// killAfter kills a process after some time, unless it has ended.
func killAfter(process *os.Process, ended <-chan struct{}, wait time.Duration) {
	select {
	case <-ended:
	case <-time.After(wait):
		_ = process.Kill()
	}
}

// appears waits for a file, and returns false if the process ends first.
func appears(file string, ended <-chan struct{}) bool {
	for {
		if _, err := os.Lstat(file); err == nil {
			return true
		}
		select {
		case <-ended:
			return false
		default:
		}
	}
}

// TestInterruptedElsewhere: a run reports the interrupted run of the files that it reads,
// though another directory has its journal.
func TestInterruptedElsewhere(t *testing.T) {
	t.Parallel()
	outer := t.TempDir()
	git(t, outer, "", "init", "-q")
	dir := filepath.Join(outer, "sub")
	if err := os.CopyFS(dir, os.DirFS(repository(t, "testdata/fix/three_files"))); err != nil {
		t.Fatal(err)
	}
	git(t, filepath.Join(dir, "overlay"), "", "init", "-q") // a repository in the repository
	text, err := json.Marshal(map[string]any{"goldenarchJournal": "v2", "root": dir, "files": []any{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "goldenarch-journal.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	for _, tc := range []struct {
		reason, from string
		args         []string
	}{
		{"lock writes elsewhere, and reads here", elsewhere, []string{"lock", filepath.Join(dir, "base"), "--file", filepath.Join(elsewhere, "lock.yaml")}},
		{"check in the inner repository", filepath.Join(dir, "overlay"), []string{"check", "."}},
		{"fix in the inner repository", filepath.Join(dir, "overlay"), []string{"fix", "gates.yaml"}},
		{"fix --abort in the inner repository", filepath.Join(dir, "overlay"), []string{"fix", "--abort"}},
		{"customize, which does not finish it", dir, []string{"customize", "fedora-image-cron", "--disable", "base"}},
		{"init, which does not finish it", dir, []string{"init", "base"}},
		{"check of the outer repository", outer, []string{"check", "."}},
		{"check without a PATH", outer, []string{"check"}},
		{"lock of the outer repository", outer, []string{"lock", "."}},
		{"fix of the outer repository", outer, []string{"fix", "."}},
	} {
		before := filesBelow(t, dir)
		stdout, messages, status := runIn(t, tc.from, tc.args...)
		if status != statusFailed || !strings.Contains(stdout+messages, "GA805") {
			t.Errorf("%s: want GA805, got %d: %s%s", tc.reason, status, stdout, messages)
		}
		if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" {
			t.Errorf("%s: files were changed:\n%s", tc.reason, diff)
		}
	}
}
