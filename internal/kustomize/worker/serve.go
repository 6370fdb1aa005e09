package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/kustomize"
)

// verb is the first argument of a worker. After it come the root of the Git repository, or
// "", the largest size of a file, and how much memory the worker should take, 0 for any.
const verb = "kustomization-worker"

// Is reports whether a process with these arguments is a worker.
func Is(args []string) bool { return len(args) == 5 && args[1] == verb }

// Serve is the worker. It returns the exit status of the process.
func Serve(args []string) int {
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // the process that started it decides
	in, out := os.Stdin, os.Stdout
	os.Stdout = nil // nobody else writes there
	buffered := bufio.NewWriterSize(out, 64<<10)
	send := func(m message) error {
		if err := write(buffered, m); err != nil {
			return err
		}
		return buffered.Flush()
	}
	library, err := confined(args[2], args[3], args[4])
	if err != nil {
		_ = send(message{Failure: kustomize.NewFailure(fmt.Errorf("confine the worker: %w", err))})
		return 1
	}
	library.Read = func(bytes int64) { _ = send(message{Read: bytes}) }
	for request := range requests(in) {
		result, err := library.Build(context.Background(), request)
		answer := message{Result: &result}
		if err != nil {
			answer = message{Failure: kustomize.NewFailure(err)}
		}
		if send(answer) != nil || errors.Is(err, kustomize.ErrMemory) {
			return 1 // nobody is there, or the build goes on
		}
	}
	return 0
}

// confined confines this process.
func confined(root, size, memory string) (*kustomize.Library, error) {
	var limit files.LimitValue
	if err := limit.Set(size); err != nil {
		return nil, err
	}
	bytes, err := strconv.ParseInt(memory, 10, 64)
	if err != nil {
		return nil, err
	}
	if bytes > 0 {
		debug.SetMemoryLimit(bytes)
	}
	library, err := kustomize.Confine()
	if err != nil {
		return nil, err
	}
	library.Root = root
	return library, Restrict(root)
}

// requests returns what comes from the process that started the worker. When that has
// ended, or closes the pipe, this process ends, whatever it does.
func requests(in io.Reader) <-chan kustomize.Request {
	out := make(chan kustomize.Request)
	go func() {
		buffered := bufio.NewReader(in)
		for {
			var request kustomize.Request
			if err := read(buffered, math.MaxInt64, &request); err != nil {
				os.Exit(0)
			}
			out <- request
		}
	}()
	return out
}
