package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// asChild makes the test binary be goldenarch: the arguments follow it, one a
// line.
const asChild = "GOLDENARCH_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asKustomize); dir != "" {
		os.Exit(kustomizeBuild(dir))
	}
	args, child := os.LookupEnv(asChild)
	if !child {
		state, err := os.MkdirTemp("", "goldenarch-state-") // not that of the person who runs the tests
		if err == nil {
			err = os.Setenv("XDG_STATE_HOME", state)
		}
		if err != nil {
			panic(err)
		}
		status := m.Run()
		_ = os.RemoveAll(state)
		os.Exit(status)
	}
	fence()
	os.Args = []string{"goldenarch"}
	if args != "" {
		os.Args = append(os.Args, strings.Split(args, "\n")...)
	}
	os.Exit(Main())
}

// programs is where the children look for theirs: this process has none while it
// builds a kustomization.
var programs = os.Getenv("PATH")

// goldenarch is a process of its own.
func goldenarch(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	// The race detector waits a second before it ends a process.
	child.Env = append(os.Environ(), "PATH="+programs, asChild+"="+strings.Join(args, "\n"), "GORACE=atexit_sleep_ms=0")
	return child
}
