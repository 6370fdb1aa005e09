package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// repository returns the root of the repository.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// programs has what was built, by module and package: each is built once.
var programs = struct {
	sync.Mutex

	dir   string
	built map[[2]string]func() (string, error)
}{built: map[[2]string]func() (string, error){}}

// TestMain removes what the tests built.
func TestMain(m *testing.M) {
	status := 1
	dir, err := os.MkdirTemp("", "programs")
	if err == nil {
		programs.dir = dir
		status = m.Run()
		err = os.RemoveAll(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// build builds a program from the module in dir, which pins its version, and
// returns the file. The first build of a host takes a minute, later ones come
// from Go's build cache.
func build(t *testing.T, dir, program, name string) string {
	t.Helper()
	key := [2]string{dir, program}
	programs.Lock()
	once := programs.built[key]
	if once == nil {
		out := filepath.Join(programs.dir, strconv.Itoa(len(programs.built)), name)
		once = sync.OnceValues(func() (string, error) { return out, compile(dir, program, out) })
		programs.built[key] = once
	}
	programs.Unlock()
	out, err := once()
	if err != nil {
		t.Fatalf("cannot build %s, without which this test proves nothing: %v", name, err)
	}
	return out
}

// asInArgoCD are the modules with the Kubernetes of Argo CD. Built as the tests in Argo CD build
// it (see the Makefile), what they share is compiled once.
var asInArgoCD = []string{"helm3", "helm4", "kptfn"}

func compile(dir, program, out string) error {
	args, flags := []string{"build", "-ldflags", "-s -w", "-o", out}, "-trimpath"
	if slices.Contains(asInArgoCD, filepath.Base(dir)) {
		flags = "'-gcflags=all=-N -l -dwarf=false'"
	}
	command := exec.Command("go", append(args, program)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+flags)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

// outcome is what a program left behind.
type outcome struct {
	stdout, stderr string
	status         int
}

// runner runs programs that find goldenarch on the PATH, as the examples ask
// for.
type runner struct {
	env []string
	dir string // where the programs run; an empty directory if it is ""
}

func newRunner(t *testing.T) runner {
	t.Helper()
	goldenarch := build(t, repository(t), ".", "goldenarch")
	return runner{env: append(os.Environ(),
		"PATH="+filepath.Dir(goldenarch)+string(os.PathListSeparator)+os.Getenv("PATH"),
		// The credentials of whoever runs the tests are not part of them.
		"HOME="+t.TempDir(),
		// What Go has downloaded and compiled is: an empty cache would take minutes.
		"GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"),
		"NO_COLOR=1",
	)}
}

func (r runner) run(t *testing.T, program string, args ...string) outcome {
	t.Helper()
	return r.runWith(t, "", program, args...)
}

// runWith runs a program with something on its standard input.
func (r runner) runWith(t *testing.T, stdin, program string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), program, args...)
	if command.Dir = r.dir; r.dir == "" {
		command.Dir = t.TempDir()
	}
	command.Env = r.env
	if stdin != "" {
		command.Stdin = strings.NewReader(stdin)
	}
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("cannot run %s: %v", program, err)
	}
	return outcome{stdout: stdout.String(), stderr: stderr.String(), status: command.ProcessState.ExitCode()}
}
