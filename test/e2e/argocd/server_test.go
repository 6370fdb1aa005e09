package argocd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
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

// socketsVariable says where Argo CD's server puts its socket, and its client looks
// for it.
const socketsVariable = "ARGOCD_PLUGINSOCKFILEPATH"

// log is what the plugin's server said.
var log = &lockedBuffer{}

// silent is the proxy of the plugin's server. It takes connections and answers
// nothing: with Argo CD goldenarch contacts no registry on the loopback.
var silent net.Listener

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

// start builds the programs, and serves the plugin of the example.
func start(dir string) (stop func(), err error) {
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	if err := build("./cmpserver", "argocd-cmp-server"); err != nil {
		return nil, err
	}
	if err := buildGoldenarch(); err != nil {
		return nil, err
	}
	if silent, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	sockets, stop, err := serve(filepath.Join(dir, "goldenarch"), example("plugin"), "goldenarch")
	if err != nil {
		return nil, err
	}
	return stop, os.Setenv(socketsVariable, sockets)
}

// serve starts Argo CD's server for the plugin of that name, whose plugin.yaml is in
// a directory of its own, with more in its environment, and returns where its socket
// is.
func serve(dir, config, name string, environment ...string) (sockets string, stop func(), err error) {
	sockets, temporary := filepath.Join(dir, "plugins"), filepath.Join(dir, "tmp")
	for _, volume := range []string{sockets, temporary} {
		if err := os.MkdirAll(volume, 0o755); err != nil {
			return "", nil, err
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(volume, argoUser, argoUser); err != nil {
				return "", nil, err
			}
		}
	}
	server := exec.Command(filepath.Join(programs, "argocd-cmp-server"), "--config-dir-path", config, "--loglevel", "debug")
	// The environment of a sidecar: no home, and nothing of whoever runs the tests.
	server.Env = []string{
		"PATH=" + programs, "TMPDIR=" + temporary, "ARGOCD_CMP_WORKDIR=" + temporary,
		socketsVariable + "=" + sockets, "ARGOCD_BINARY_NAME=argocd-cmp-server",
		"HTTPS_PROXY=http://" + silent.Addr().String(),
	}
	server.Env = append(server.Env, environment...)
	server.Stdout, server.Stderr = log, log
	if os.Geteuid() == 0 {
		server.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: argoUser, Gid: argoUser}}
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		// Not SIGTERM: the server only removes its socket then, and stays.
		_ = server.Process.Kill()
		_ = server.Wait()
	}
	if err := answers(filepath.Join(sockets, name+".sock"), server.Process); err != nil {
		stop()
		return "", nil, err
	}
	return sockets, stop, nil
}

// answers waits until there is somebody behind a socket, as long as the process
// lives. The file is there a moment before it can be connected to.
func answers(socket string, process *os.Process) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		connection, err := net.Dial("unix", socket)
		if err == nil {
			return connection.Close()
		}
		if err := process.Signal(syscall.Signal(0)); err != nil {
			return fmt.Errorf("the server has ended: %w", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("nobody answers after a minute: %w", err)
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

// waitFor waits until what was said after the first n bytes matches, and reports whether it
// does. The log comes through a pipe, and may be later than the answer of the server.
func (b *lockedBuffer) waitFor(n int, matches func(text string) bool) bool {
	const longest = 20 * time.Second
	for deadline := time.Now().Add(longest); !matches(b.since(n)); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// has returns a function that reports whether a text has another one.
func has(part string) func(text string) bool {
	return func(text string) bool { return strings.Contains(text, part) }
}

// last returns the end of a log, which is long.
func last(text string) string {
	const shown = 2000
	return text[max(0, len(text)-shown):]
}
