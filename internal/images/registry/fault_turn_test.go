package registry_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestSlowBodyHoldsNobodyUp lets the first answer's body hang; its header has
// come, so the others need not wait for it.
func TestSlowBodyHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	hanging := make(chan struct{})
	s := with(t, registrytest.OnRepository("org/r0", func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			rw.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(rw).Flush()
			close(hanging)
			<-r.Context().Done()
		})
	}))
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

// TestFailedTokenIsSharedByItsRepository asks for many tags of a repository
// whose token nobody gets: they fail together.
func TestFailedTokenIsSharedByItsRepository(t *testing.T) {
	t.Parallel()
	const tags = 20
	tokens := &registrytest.Tokens{Service: "r"}
	s := with(t, registrytest.On(registrytest.Token, registrytest.Reply(http.StatusInternalServerError, nil)), tokens.Require())
	var refs []imageref.Reference
	for i := range tags {
		refs = append(refs, reference(t, s, fmt.Sprintf("org/app:%d", i)))
	}
	errs := failures(t, client(t, trusting(t)), refs)
	if len(errs) != tags {
		t.Fatalf("want %d failures, got %d", tags, len(errs))
	}
	for i, err := range errs {
		outcome{kind: registry.ErrServer, status: 500, says: []string{"token service"}}.
			check(t, "Each names its own reference.", refs[i], registry.Image{}, err)
	}
	if got := s.Counts().Token; got > 2*2 {
		t.Errorf("%d tags of one repository asked %d times for its token", tags, got)
	}
}
