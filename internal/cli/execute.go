package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/input/kustomization"
	"github.com/goldenarch/goldenarch/internal/input/kustomization/worker"
	"github.com/goldenarch/goldenarch/internal/memory"
)

// Exit statuses.
const (
	statusOK      = 0
	statusFailed  = 1
	statusMisuse  = 2
	statusDiffers = 3
)

// Streams are what a process reads and writes.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer

	// printer shows on Out and Err. Verbs have nothing else to write to.
	printer *console.Printer

	// build builds kustomizations; nil where nothing does.
	build func(kustomization.Request) (kustomization.Built, error)
}

// built builds a kustomization.
func (s Streams) built(request kustomization.Request) (kustomization.Built, error) {
	if s.build == nil {
		return kustomization.Built{}, fmt.Errorf("build %s: %w", request.Dir, errNoBuilder)
	}
	return s.build(request)
}

var errNoBuilder = errors.New("this program has nothing that builds kustomizations: build the directory first, with kustomize")

// Main runs goldenarch as this process and returns its exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	collectBelow(memory.Limit())
	workers := &worker.Pool{Memory: ofWorkers}
	defer workers.Close()
	in, out, errs := console.Standard()
	streams := Streams{In: in, Out: out, Err: errs}
	if !inArgoCD(os.LookupEnv) {
		console.TakeLogger(streams.Err)
		return Run(ctx, os.Args[1:], streams, workers)
	}
	messages := &brief{to: console.New(out, errs).Messages(), root: repositoryRoot(os.LookupEnv)}
	streams.Err = messages
	console.TakeLogger(streams.Err)
	status := Run(ctx, os.Args[1:], streams, workers)
	messages.print(status)
	return status
}

// Run runs goldenarch with the given arguments and returns its exit status. When
// the context ends it returns at once, even while it waits for standard input or for
// the reader of the output. It then reports whether the run wrote anything, and the run
// writes nothing more. Kustomizations are built by builder; nil builds none.
func Run(ctx context.Context, args []string, streams Streams, builder kustomization.Builder) int {
	printer, last := console.New(streams.Out, streams.Err), console.New(streams.Out, streams.Err)
	defer last.Flush()
	ctx, step := withStep(ctx)
	ctx, waiting := withWaiting(ctx)
	done := make(chan error, 1)
	inner := Streams{In: streams.In, printer: printer}
	if builder != nil {
		inner.build = func(r kustomization.Request) (kustomization.Built, error) {
			return kustomization.Build(ctx, builder, r)
		}
	}
	go func() { done <- run(ctx, args, inner) }()
	select {
	case err := <-done:
		printer.Flush()
		return status(err, last)
	case <-ctx.Done():
		select {
		case err := <-done: // the run ended before the signal
			printer.Flush()
			return status(err, last)
		default:
		}
		written := printer.Stop()
		pending := waiting.String()
		if done, err := step.stop(); done {
			if err == nil {
				last.Message("stopped by a signal, after the files were written")
			}
			return status(err, last)
		}
		if pending != "" {
			pending = "; " + pending
		}
		last.Message("stopped by a signal, %s%s", written, pending)
		return statusFailed
	}
}

func run(ctx context.Context, args []string, streams Streams) error {
	root := newFunction(streams)
	if len(args) > 0 || console.IsTerminal(streams.In) {
		root = newRoot(streams)
	}
	root.SetArgs(joinBooleans(args))
	root.SetIn(streams.In)
	root.SetOut(streams.printer.Text())
	root.SetErr(streams.printer.Messages())
	strict(root)
	return inTurn(ctx, args, root.ExecuteContext)
}

// errSilent is the error of a run that has already reported what is wrong.
var errSilent = errors.New("failed")

// errDiffers is the error of a run that found a difference and has already reported it.
var errDiffers = errors.New("differs")

// misuse is an error in how goldenarch was called.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

func status(err error, printer *console.Printer) int {
	var wrong misuse
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, errSilent):
		return statusFailed
	case errors.Is(err, errDiffers):
		return statusDiffers
	case errors.As(err, &wrong):
		printer.Error(fmt.Errorf("%w\nRun 'goldenarch help' for usage.", err)) //nolint:revive,staticcheck // the last line of a message
		return statusMisuse
	default:
		printer.Error(err)
		return statusFailed
	}
}

// asMisuse converts the errors of an argument check into misuse.
func asMisuse(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return misuse{err}
		}
		return nil
	}
}
