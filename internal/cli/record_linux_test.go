package cli

import (
	"bytes"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestReplayOpensNoSocket replays each verb where the kernel kills what opens a
// socket. That the fence is there, a run without the replay shows. Where it is not
// permitted, TestReplayedVerbs has the registry itself count connections.
func TestReplayOpensNoSocket(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	run := l.path("run")
	for _, args := range [][]string{
		{"resolve", l.ref("x/fedora:1")},
		{"render", l.path("hco.yaml"), "--workload-architectures=amd64", "--lock=Ignore"},
		{"lock", l.path("hco.yaml"), "--verify=config"},
		{"--workload-architectures=amd64"},
	} {
		args = slices.Concat(args, []string{"--registry-insecure=" + l.registry.Host()})
		if status, _, stderr := l.execute(l.list(), slices.Concat(args, []string{"--record=" + run})...); status != 0 {
			t.Fatalf("%v: %s", args, stderr)
		}
		for _, replayed := range []bool{true, false} {
			all := args
			if replayed {
				all = slices.Concat(args, []string{"--replay=" + run})
			}
			child := goldenarch(t, all...)
			var errs bytes.Buffer
			child.Stderr, child.Stdin = &errs, strings.NewReader(l.list())
			noSockets(t, child)
			err := child.Run()
			exited, isExit := errors.AsType[*exec.ExitError](err)
			if isExit && exited.ExitCode() == notPermitted {
				t.Logf("a fence is not permitted here: %v", err)
				return
			}
			if (err == nil) != replayed {
				t.Errorf("%v: want success: %v, got %v\n%s", all, replayed, err, errs.String())
			}
		}
	}
}
