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

	"github.com/goldenarch/goldenarch/internal/finding"
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
}

// Main runs goldenarch as this process and returns its exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	collectBelow(memory.Limit())
	streams := Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	if !inArgoCD(os.LookupEnv) {
		return Execute(ctx, os.Args[1:], streams)
	}
	messages := &brief{to: os.Stderr, root: repositoryRoot(os.LookupEnv)}
	streams.Err = messages
	status := Execute(ctx, os.Args[1:], streams)
	messages.print(status)
	return status
}

// Execute runs goldenarch with the given arguments and returns its exit status. When
// the context ends it returns at once, even while it waits for standard input or for
// the reader of the output. It then reports whether the run wrote anything, and the run
// writes nothing more.
func Execute(ctx context.Context, args []string, streams Streams) int {
	out, messages := &output{to: streams.Out}, &output{to: streams.Err}
	ctx, step := withStep(ctx)
	ctx, waiting := withWaiting(ctx)
	done := make(chan error, 1)
	go func() { done <- run(ctx, args, Streams{In: streams.In, Out: out, Err: messages}) }()
	select {
	case err := <-done:
		return status(err, streams.Err)
	case <-ctx.Done():
		select {
		case err := <-done: // the run ended before the signal
			return status(err, streams.Err)
		default:
		}
		messages.stop()
		pending := waiting.String()
		if done, err := step.stop(); done {
			if err == nil {
				fmt.Fprintln(streams.Err, "goldenarch: stopped by a signal, after the files were written")
			}
			return status(err, streams.Err)
		}
		if pending != "" {
			pending = "; " + pending
		}
		fmt.Fprintf(streams.Err, "goldenarch: stopped by a signal, %s%s\n", out.stop(), pending)
		return statusFailed
	}
}

func run(ctx context.Context, args []string, streams Streams) error {
	root := newFunction(streams)
	if len(args) > 0 || isTerminal(streams.In) {
		root = newRoot(streams)
	}
	root.SetArgs(joinBooleans(args))
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
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

func status(err error, stderr io.Writer) int {
	var wrong misuse
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, errSilent):
		return statusFailed
	case errors.Is(err, errDiffers):
		return statusDiffers
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "goldenarch: %s\nRun 'goldenarch help' for usage.\n", finding.ShownLines(err.Error()))
		return statusMisuse
	default:
		fmt.Fprintf(stderr, "goldenarch: %s\n", finding.ShownLines(err.Error()))
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
