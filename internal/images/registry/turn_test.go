package registry_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestSlowBodyHoldsNobodyUp lets the first answer's body hang; its header has
// come, so the others need not wait for it.
func TestSlowBodyHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	hanging := make(chan struct{})
	s := with(t, registrytest.OnRepository("org/r0", answer(func(rw http.ResponseWriter, r *http.Request, _ http.Handler) {
		rw.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(rw).Flush()
		close(hanging)
		<-r.Context().Done()
	})))
	refs := fill(t, s, 20, 0)
	o := trusting(t)
	o.RequestTimeout = deadline
	c := client(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := c.Resolve(ctx, refs[0])
		first <- err
	}()
	<-hanging
	rest, stop := context.WithTimeout(t.Context(), deadline/2)
	defer stop()
	for _, result := range registry.ResolveAll(rest, c, refs[1:]) {
		if result.Err != nil {
			t.Errorf("it waited for the body of another image: %v", result.Err)
			break
		}
	}
	cancel()
	if err := <-first; err == nil {
		t.Error("a body that never ends is no answer")
	}
}

// TestFailedFirstRequestPassesItsTurn: after one that was cancelled the others are still challenged
// once, not each for itself.
func TestFailedFirstRequestPassesItsTurn(t *testing.T) {
	t.Parallel()
	s := with(t, (&registrytest.Tokens{Service: "r"}).Require())
	refs := fill(t, s, 30, 0)
	c := client(t, unhurried(t))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Resolve(cancelled, refs[0]); err == nil {
		t.Fatal("a cancelled request must fail")
	}
	if errs := failures(t, c, refs[1:]); len(errs) > 0 {
		t.Fatal(errs[0])
	}
	if got, want := s.Counts().Total(), 2*len(refs[1:])+2; got > want {
		t.Errorf("want at most %d requests, got %d", want, got)
	}
}
