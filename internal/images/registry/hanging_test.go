//go:build unix

package registry_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// ending is a context whose deadline is when the test says so.
type ending struct {
	context.Context
	done chan struct{}
	over atomic.Bool
}

func (e *ending) Done() <-chan struct{} { return e.done }

func (e *ending) Err() error {
	if e.over.Load() {
		return context.DeadlineExceeded
	}
	return nil
}

func (e *ending) end() {
	e.over.Store(true)
	close(e.done)
}

// TestHangingHelperIsNamed: the registry has answered; it is not the one to blame.
func TestHangingHelperIsNamed(t *testing.T) {
	t.Parallel()
	s := with(t, registrytest.Basic(registrytest.Users{"user": "right"}))
	dir := t.TempDir()
	program(t, dir, "docker-credential-hang", fmt.Sprintf("exec 3>%s/started\n/bin/sleep 300\n", dir))
	started := filepath.Join(dir, "started")
	if err := syscall.Mkfifo(started, 0o600); err != nil {
		t.Fatal(err)
	}
	o := trusting(t)
	o.Env = func(key string) string { return map[string]string{"PATH": dir}[key] }
	o.AuthFile = authFile(t, map[string]any{"credHelpers": map[string]string{s.Host(): "hang"}})
	ctx := &ending{Context: t.Context(), done: make(chan struct{})}
	go func() {
		if f, err := os.Open(started); err == nil { // waits for the helper
			defer f.Close()
		}
		ctx.end()
	}()
	ref := fill(t, s, 1, 0)[0]
	_, err := client(t, o).Resolve(ctx, ref)
	w := &world{T: t, registry: s}
	outcome{
		kind: context.DeadlineExceeded, not: []string{"fewer images"},
		says: []string{"the credential helper docker-credential-hang did not answer before the deadline"},
	}.check(w, "the helper is named", registry.Result{Reference: ref, Err: err})
}
