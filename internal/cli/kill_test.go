package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// killsOf is how many processes a test kills: so many, or what the variable says.
func killsOf(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("GOLDENARCH_KILLS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// killTime returns when to kill a process of several: a random time in its part of a little more
// than the longest run.
func killTime(dice *rand.Rand, turn, turns int, longest time.Duration) time.Duration {
	part := longest * 11 / 10 / time.Duration(turns)
	return part*time.Duration(turn) + time.Duration(dice.Int64N(int64(part)+1))
}

// Whenever the process ends, by SIGKILL or by Ctrl-C: the lock is the old one or
// the new one, whole, and what the process said last is true.
func TestLockIsKilled(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	var images []string
	for i := range 30 {
		images = append(images, fmt.Sprintf("x/%06d:1", i))
	}
	l.write("hco.yaml", l.cr(images...))
	// Two answers, by turns.
	push := func(turn int) {
		platforms := [][]string{{"linux/amd64", "linux/arm64"}, {"linux/amd64", "linux/s390x"}}[turn%2]
		for _, image := range images {
			l.registry.Push(image, registrytest.Index(platforms...))
		}
	}
	texts := map[string]int{}
	var longest time.Duration
	for turn := range 2 {
		push(turn)
		child := goldenarch(t, "lock", l.dir, "--set", "registryInsecure="+l.registry.Host())
		start := time.Now()
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		longest = max(longest, time.Since(start))
		texts[l.read(lockFile)] = turn
	}
	if len(texts) != 2 {
		t.Fatalf("the two answers must give two locks, got %d", len(texts))
	}
	dice := rand.New(rand.NewPCG(1, 2))
	ended := map[string]int{}
	kills := killsOf(t, 60)
	for turn := range kills {
		before := texts[l.read(lockFile)]
		push(before + 1)
		var errs bytes.Buffer
		child := goldenarch(t, "lock", l.dir, "--set", "registryInsecure="+l.registry.Host())
		child.Stderr = &errs
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		signal := []os.Signal{syscall.SIGKILL, syscall.SIGINT}[turn%2]
		timer := time.AfterFunc(killTime(dice, turn, kills, longest), func() { _ = child.Process.Signal(signal) })
		err := child.Wait()
		timer.Stop()
		after, whole := texts[l.read(lockFile)]
		if !whole {
			t.Fatalf("turn %d, %v: the lock is neither the old one nor the new one:\n%s", turn, signal, l.read(lockFile))
		}
		changed := after != before
		ended[fmt.Sprintf("%v changed:%v", signal, changed)]++
		reported := errs.String()
		switch {
		case err == nil && !changed:
			t.Errorf("turn %d: success, but the old lock is there: %s", turn, reported)
		case err != nil && changed && signal == os.Interrupt && bytes.Contains(errs.Bytes(), []byte("nothing was written")):
			t.Errorf("turn %d: the new lock is there, but it said %s", turn, reported)
		}
	}
	if t.Logf("ended: %v", ended); ended["killed changed:false"]+ended["interrupt changed:false"] == 0 {
		t.Error("no run was ended before it wrote the lock")
	}
	l.leavesNothing(t)
}

// leavesNothing runs the verb once more: what killed processes left is gone.
func (l *lockedTree) leavesNothing(t *testing.T) {
	t.Helper()
	// One for sure, beside those that are there by chance.
	l.write("."+lockFile+".goldenarch-123.tmp", "half a lock")
	left, err := filepath.Glob(l.path("." + lockFile + ".*"))
	if err != nil || len(left) == 0 {
		t.Fatalf("want what was left, got %v, %v", left, err)
	}
	if err := os.Remove(l.path(lockFile)); err != nil { // so that there is something to write
		t.Fatal(err)
	}
	if out, err := goldenarch(t, "lock", l.dir, "--set", "registryInsecure="+l.registry.Host()).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	entries, err := os.ReadDir(l.dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("want the CR and the lock and nothing else, got %v, %v", entries, err)
	}
}
