//go:build unix

package hostile

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	status := m.Run()
	Clean()
	os.Exit(status)
}

// The runner is watched: what a run may not do fails the test that runs it.
func TestTheRunnerSeesFaults(t *testing.T) {
	t.Parallel()
	// The memory of the test is not the program's.
	large := bytes.Repeat([]byte("x"), 600<<20)
	fine := Run(t, []string{"version"}, "", Limits{})
	if fine.Status != 0 || fine.Stdout == "" || fine.Peak < 1<<20 || fine.Peak > int64(len(large))/2 || fine.Took <= 0 {
		t.Errorf("want a run that is fine, got %+v", fine)
	}
	if misused := Run(t, []string{"no-such-verb"}, "", Limits{}); misused.Status != 2 {
		t.Errorf("want the status of the program itself, 2, got %d", misused.Status)
	}
	for name, tc := range map[string]struct {
		limits Limits
		stdin  string
	}{
		"Memory": {limits: Limits{Memory: 24 << 20}, stdin: strings.Repeat("- {a: b}\n", 1<<20)},
		"Time":   {limits: Limits{Time: time.Microsecond}},
	} {
		seen := &fake{TB: t}
		finished := make(chan struct{})
		go func() { // FailNow ends a goroutine
			defer close(finished)
			Run(seen, []string{"render", "-"}, tc.stdin, tc.limits)
		}()
		<-finished
		if !seen.failed {
			t.Errorf("%s: the fault was not seen", name)
		}
	}
}
