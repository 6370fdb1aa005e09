package worker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
)

// process is a worker as the process that started it sees it.
type process struct {
	directories

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	read   atomic.Int64 // how many bytes the build has read so far
	stderr tail
	ended  chan struct{} // closed when the process has ended
	broken bool          // it can build nothing more
}

var (
	// ErrStart is the error for a worker that cannot be started.
	ErrStart = errors.New("start the process that builds kustomizations (goldenarch builds none in its own process)")
	errTime  = errors.New("the build took too long, so goldenarch has ended it")
	errEnded = errors.New("the process that builds kustomizations has ended before the build was done")
)

// start starts a worker.
func start(program string, at directories, memory int64) (*process, error) {
	name, err := executable(program)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	w := &process{directories: at, ended: make(chan struct{})}
	// Its own context does not end it: the pool does.
	w.cmd = exec.CommandContext(context.Background(), name, verb, at.root, files.LimitValue{}.String(), strconv.FormatInt(memory, 10))
	w.cmd.Args[0] = "goldenarch"
	w.cmd.Env, w.cmd.Dir = environment(), at.working
	w.cmd.Stderr = &w.stderr
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	out, writer, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	w.cmd.Stdout = writer
	err = w.cmd.Start()
	_ = writer.Close()
	if err != nil {
		_ = out.Close()
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	w.in, w.out = in, out
	go func() {
		_ = w.cmd.Wait() // its state says how it ended
		close(w.ended)
	}()
	return w, nil
}

// executable returns the program to start.
func executable(program string) (string, error) {
	if program = cmp.Or(program, self); program != "" {
		return program, nil
	}
	return os.Executable()
}

// environment returns what a build needs: nothing.
func environment() []string {
	out := []string{"PATH="}
	if runtime.GOOS == "windows" {
		out = append(out, "SystemRoot="+os.Getenv("SystemRoot")) // Windows itself needs it
	}
	return out
}

// exchange sends a request, and waits for the answer.
func (w *process) exchange(request kustomize.Request) (message, error) {
	if err := write(w.in, request); err != nil {
		return message{}, err
	}
	w.read.Store(0)
	for {
		m, err := receive(w.out, kustomize.Memory(w.read.Load()))
		if err != nil || m.Result != nil || m.Failure != nil {
			return m, err
		}
		w.read.Store(max(w.read.Load(), m.Read))
	}
}

// build builds a directory. It ends the worker when the context ends, and when the build
// takes too much time or memory.
func (w *process) build(ctx context.Context, request kustomize.Request, deadline time.Duration) (kustomize.Result, error) {
	const look = 20 * time.Millisecond
	w.broken = true // until it has answered
	var answer message
	var failed error
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		answer, failed = w.exchange(request)
	}()
	tick := time.NewTicker(look)
	defer tick.Stop()
	late := time.NewTimer(deadline)
	defer late.Stop()
	stop := func(err error) (kustomize.Result, error) {
		w.end()
		<-answered // an answer that nobody waits for any more is dropped
		return kustomize.Result{}, err
	}
	for most := int64(0); ; {
		select {
		case <-answered:
			switch {
			case failed != nil:
				if w.end(); most > kustomize.Memory(w.read.Load()) && w.outOfMemory() {
					return kustomize.Result{}, kustomize.ErrMemory
				}
				return kustomize.Result{}, w.death(failed)
			case answer.Failure != nil:
				w.broken = errors.Is(answer.Failure, kustomize.ErrMemory)
				return kustomize.Result{}, answer.Failure
			default:
				w.broken = false
				return *answer.Result, nil
			}
		case <-ctx.Done():
			return stop(context.Cause(ctx))
		case <-late.C:
			return stop(fmt.Errorf("%w after %s", errTime, deadline))
		case <-tick.C:
			most = max(most, resident(w.cmd.Process.Pid))
			if most > workerOverhead+2*kustomize.Memory(w.read.Load()) {
				return stop(kustomize.ErrMemory)
			}
		}
	}
}

// workerOverhead is the memory of a worker beside that of a build, which is counted twice for its
// garbage.
const workerOverhead = 64 << 20

// death says why a worker has ended that nobody has asked to.
func (w *process) death(err error) error {
	if errors.Is(err, errLarge) {
		return err
	}
	<-w.ended
	state := w.cmd.ProcessState
	switch {
	case w.outOfMemory():
		return fmt.Errorf("%w: the system gave it no more memory", errEnded)
	case state.String() == "signal: killed":
		return fmt.Errorf("%w: something has killed it, as Linux does when memory runs out; raise the memory limit, or build fewer at once", errEnded)
	default:
		return fmt.Errorf("%w: %s", errEnded, state)
	}
}

// outOfMemory reports whether a worker has ended because the system gave it no more memory.
func (w *process) outOfMemory() bool {
	<-w.ended
	return bytes.Contains(w.stderr, []byte("out of memory")) || bytes.Contains(w.stderr, []byte("cannot allocate memory"))
}

func (w *process) hasEnded() bool {
	select {
	case <-w.ended:
		return true
	default:
		return false
	}
}

// end ends the worker.
func (w *process) end() {
	_ = w.in.Close()
	_ = w.cmd.Process.Kill() // or it has ended
	_ = w.out.Close()
}

// tail keeps the beginning of what a worker writes to standard error: of a crash, the
// runtime says the reason first. It is read when the worker has ended.
type tail []byte

const longestTail = 16 << 10

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p[:min(len(p), longestTail-len(*t))]...)
	return len(p), nil
}
