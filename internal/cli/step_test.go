package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// A run that is stopped says what became of the files: a step that has begun is
// waited for, and none begins any more.
func TestStep(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := &step{}
	begun, goOn := make(chan struct{}), make(chan struct{})
	failure := errors.New("the disk is full")
	result := make(chan error, 1)
	go func() {
		result <- s.run(ctx, func() error {
			close(begun)
			<-goOn
			return failure
		})
	}()
	<-begun
	cancel()
	stopped := make(chan error, 1)
	go func() {
		done, err := s.stop()
		if !done {
			err = errors.New("the step that had begun is forgotten")
		}
		stopped <- err
	}()
	select {
	case err := <-stopped:
		t.Fatalf("the step is not over: %v", err)
	default:
	}
	close(goOn)
	if err := <-stopped; !errors.Is(err, failure) || !errors.Is(<-result, failure) {
		t.Errorf("want the error of the step, got %v", err)
	}
	again := func() error { t.Error("a step began after the stop"); return nil }
	if err := s.run(ctx, again); !errors.Is(err, context.Canceled) {
		t.Errorf("want the context's error, got %v", err)
	}

	s = &step{}
	if done, _ := s.stop(); done {
		t.Error("nothing was done")
	}
	if err := s.run(t.Context(), again); err != nil {
		t.Errorf("a stop without a signal has no error of its own, got %v", err)
	}
}

// The last word of a run that was stopped is true.
func TestStoppedLock(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	ctx, cancel := context.WithCancel(t.Context())
	var errs bytes.Buffer
	cancel()
	args := []string{"lock", l.dir, "--set", "registryInsecure=" + l.registry.Host()}
	status := Execute(ctx, args, Streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &errs})
	written := l.read(lockFile) != ""
	if (status == statusOK) != written || written && strings.Contains(errs.String(), "nothing was written") {
		t.Errorf("status %d, lock written: %v, told %q", status, written, errs.String())
	}
}
