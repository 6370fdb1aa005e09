package argocd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
)

// argoUser is the user that Argo CD's images run as.
const argoUser = 999

// programs are what the tests run: built once, into one directory.
var programs string

// log is what the plugin's server said.
var log = &lockedBuffer{}

func TestMain(m *testing.M) {
	logrus.SetOutput(io.Discard) // Argo CD's client logs each failure that it returns
	os.Exit(run(m))
}

// run builds the programs, starts the server as the sidecar of the example runs it,
// and runs the tests.
func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "argocd")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs = filepath.Join(dir, "bin")
	stop, err := start(dir)
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot start the plugin, without which these tests prove nothing: %v\n%s", err, last(log.String()))
		return 1
	}
	defer stop()
	return m.Run()
}

func start(dir string) (stop func(), err error) {
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	if err := build(".", "./cmpserver", "argocd-cmp-server"); err != nil {
		return nil, err
	}
	if err := build("../../..", ".", "goldenarch"); err != nil {
		return nil, err
	}
	var server *exec.Cmd
	for _, name := range []string{"plugins", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			return nil, err
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(filepath.Join(dir, name), argoUser, argoUser); err != nil {
				return nil, err
			}
		}
	}
	sockets := filepath.Join(dir, "plugins")
	server = exec.Command(filepath.Join(programs, "argocd-cmp-server"), "--config-dir-path", example("plugin"), "--loglevel", "debug")
	// The environment of a sidecar: no home, and nothing of whoever runs the tests.
	server.Env = []string{
		"PATH=" + programs, "TMPDIR=" + filepath.Join(dir, "tmp"), "ARGOCD_CMP_WORKDIR=" + filepath.Join(dir, "tmp"),
		"ARGOCD_PLUGINSOCKFILEPATH=" + sockets, "ARGOCD_BINARY_NAME=argocd-cmp-server",
	}
	server.Stdout, server.Stderr = log, log
	if os.Geteuid() == 0 {
		server.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: argoUser, Gid: argoUser}}
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		// Not SIGTERM: the server only removes its socket then, and stays.
		_ = server.Process.Kill()
		_ = server.Wait()
	}
	os.Setenv("ARGOCD_PLUGINSOCKFILEPATH", sockets)
	if err := appears(filepath.Join(sockets, "goldenarch.sock"), server.Process); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// build builds a program from the module in dir, with the settings of these tests,
// so that what they share is compiled once.
func build(dir, pkg, name string) error {
	command := exec.Command("go", "build", "-ldflags", "-s -w", "-o", filepath.Join(programs, name), pkg)
	command.Dir = dir
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return nil
}

// appears waits until there is a socket, as long as the process lives.
func appears(socket string, process *os.Process) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(socket); err == nil {
			return nil
		}
		if err := process.Signal(syscall.Signal(0)); err != nil {
			return fmt.Errorf("the server has ended: %w", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("no %s after a minute", socket)
		}
	}
}

// example returns the absolute path of a part of the example.
func example(parts ...string) string {
	path, err := filepath.Abs(filepath.Join(slices.Concat([]string{"../../../examples/argocd"}, parts)...))
	if err != nil {
		panic(err) // there is no working directory
	}
	return path
}

// lockedBuffer is a buffer that is read while it is written.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// since returns what was said after the first n bytes.
func (b *lockedBuffer) since(n int) string { return strings.Clone(b.String()[n:]) }

// last returns the end of a log, which is long.
func last(text string) string {
	const shown = 2000
	return text[max(0, len(text)-shown):]
}
