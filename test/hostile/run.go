//go:build unix

package hostile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/programtest"
)

// Limits are what a run may take.
type Limits struct {
	// Memory is how many bytes the process may map for writing (RLIMIT_DATA); 0
	// is 512 MiB. The address space alone (RLIMIT_AS) says little of a Go program,
	// which reserves more than it uses.
	Memory uint64
	// Time is how much time of a processor one run may take; 0 is 10 s. By the
	// clock it may take four times as much, for a machine does other things too.
	Time time.Duration
	// Dir is the working directory; "" is an empty one.
	Dir string
	// Env is added to the environment, which otherwise has PATH and an empty home.
	Env []string
	// Once runs the program once: the second run is meant to differ.
	Once bool
}

// Result is what a run gave.
type Result struct {
	Status         int
	Stdout, Stderr string
	// Peak is the largest resident size in bytes.
	Peak int64
	// Took is the time of a processor.
	Took time.Duration
}

const (
	defaultMemory = 512 << 20
	defaultTime   = 10 * time.Second
)

// Run runs the program twice under limits and returns what the first run gave. It
// is an error of the test if a run takes too long, ends by a signal or with a
// status other than 0 to 3, prints the trace of a crash, or if the second run
// differs from the first.
func Run(t testing.TB, args []string, stdin string, limits Limits) Result {
	t.Helper()
	if limits.Dir == "" {
		limits.Dir = t.TempDir()
	}
	home := t.TempDir()
	first := runOnce(t, args, stdin, home, limits)
	if limits.Once || t.Failed() {
		return first
	}
	second := runOnce(t, args, stdin, home, limits)
	if first.Status != second.Status || first.Stdout != second.Stdout || first.Stderr != second.Stderr {
		t.Errorf("two runs of %q differ:\n%d %.2000s\n%.2000s\nand then\n%d %.2000s\n%.2000s", args,
			first.Status, first.Stdout, first.Stderr, second.Status, second.Stdout, second.Stderr)
	}
	return first
}

// crashed matches what the Go runtime prints when a program crashes.
var crashed = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |goroutine \d+ \[|SIG[A-Z]+: |unexpected fault address)`)

func runOnce(t testing.TB, args []string, stdin, home string, limits Limits) Result {
	t.Helper()
	memory, wait := limits.Memory, limits.Time
	if memory == 0 {
		memory = defaultMemory
	}
	if wait == 0 {
		wait = defaultTime
	}
	limited := []string{"-c", `ulimit -d "$0" && exec "$@"`, strconv.FormatUint(memory>>10, 10), binary(t)}
	ctx, cancel := context.WithTimeout(t.Context(), 4*wait)
	defer cancel()
	child := exec.CommandContext(ctx, launcher(t), append(append([]string{"/bin/sh"}, limited...), args...)...)
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	child.Cancel = func() error { return syscall.Kill(-child.Process.Pid, syscall.SIGKILL) }
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	child.ExtraFiles = []*os.File{writer}
	child.Dir = limits.Dir
	child.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + home}, limits.Env...)
	child.WaitDelay = 10 * time.Second
	var out, errs bytes.Buffer
	child.Stdin, child.Stdout, child.Stderr = strings.NewReader(stdin), &out, &errs
	err = child.Run()
	_ = writer.Close()
	got := Result{Stdout: out.String(), Stderr: errs.String()}
	exited, isExit := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		t.Fatalf("%q has not ended after %s:\n%.2000s", args, 4*wait, got.Stderr)
	case err != nil && !isExit:
		t.Fatalf("%q cannot be run: %v", args, err)
	case isExit:
		got.Status = exited.ExitCode()
	}
	if got.Took = child.ProcessState.UserTime() + child.ProcessState.SystemTime(); got.Took > wait {
		t.Errorf("%q took %s of a processor, more than %s", args, got.Took, wait)
	}
	var wall, processor int64
	if _, err := fmt.Fscan(reader, &wall, &processor, &got.Peak); err != nil {
		t.Errorf("the costs of %q are not known: %v", args, err)
	}
	if got.Status < 0 || got.Status > 3 {
		t.Errorf("%q ended with %v:\n%.2000s", args, err, got.Stderr)
	}
	if at := crashed.FindString(got.Stderr); at != "" {
		t.Errorf("%q crashed (%s):\n%.2000s", args, at, got.Stderr)
	}
	return got
}

// build builds the program and its launcher into one directory, once for all tests
// of a process.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "goldenarch-hostile-")
	if err != nil {
		return "", err
	}
	if err := programtest.Build(dir, "test/launch"); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
})

// binary returns the program, which is built when it is first asked for, or the
// one that GOLDENARCH_BINARY names: a case must fail for the version before its fix.
func binary(t testing.TB) string {
	t.Helper()
	if other := os.Getenv("GOLDENARCH_BINARY"); other != "" {
		return other
	}
	return filepath.Join(built(t), "goldenarch")
}

// launcher returns the program that measures another one. Linux counts in the
// memory of a process what the one that started it had, and a test is large.
func launcher(t testing.TB) string { t.Helper(); return filepath.Join(built(t), "launch") }

func built(t testing.TB) string {
	t.Helper()
	dir, err := build()
	if err != nil {
		t.Fatalf("build the program: %v", err)
	}
	return dir
}

// Clean removes the programs that the tests of a process built. TestMain calls it.
func Clean() {
	if dir, err := build(); err == nil {
		_ = os.RemoveAll(dir)
	}
}
