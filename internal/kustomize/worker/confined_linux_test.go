package worker

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// TestEnvironmentOfAWorker: a worker has an empty PATH, and nothing else of what this
// process has.
func TestEnvironmentOfAWorker(t *testing.T) {
	t.Setenv("REGISTRY_AUTH_FILE", "/secret")
	p := pool(t)
	builds(t, p)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.idle[0].cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != "PATH=\x00" {
		t.Errorf("want an empty PATH, got %q", text)
	}
}

// TestWatchedMemory: this process knows how much memory a worker has.
func TestWatchedMemory(t *testing.T) {
	t.Parallel()
	p := pool(t)
	builds(t, p)
	if got := resident(p.idle[0].cmd.Process.Pid); got < 1<<20 || got > 1<<30 {
		t.Errorf("want some MB, got %d bytes", got)
	}
}

// TestLandlock: where the kernel has Landlock, it is the kernel that keeps a worker from
// files outside of its directory, from writing, from programs and from TCP.
func TestLandlock(t *testing.T) {
	t.Parallel()
	abi, err := ll.LandlockGetABIVersion()
	if err != nil {
		abi = 0
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	const withPaths, withTruncate, withTCP = 1, 3, 4 // the versions of Landlock
	for _, restricted := range []bool{true, false} {
		dir := written(t, map[string]string{"repo/in.yaml": "a", "out.yaml": "a"})
		root := filepath.Join(dir, "repo")
		if !restricted {
			root = ""
		}
		out, err := exec.CommandContext(t.Context(), program(t, "confined"), root, filepath.Join(dir, "repo/in.yaml"), filepath.Join(dir, "out.yaml"),
			listener.Addr().String()).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		got := strings.Fields(string(out))
		slices.Sort(got)
		want := []string{"read-inside"}
		for name, possible := range map[string]bool{
			"read-outside": abi < withPaths || !restricted, "exec": abi < withPaths, "write": abi < withTruncate, "connect": abi < withTCP,
		} {
			if possible {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Landlock %d, restricted to a directory: %v (-want +got):\n%s", abi, restricted, diff)
		}
	}
}
