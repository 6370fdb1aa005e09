package argocd

import (
	"context"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestDeadline: Argo CD's patience ends while a registry does not answer.
func TestDeadline(t *testing.T) {
	t.Parallel()
	asked := make(chan net.Conn, 64)
	go func() {
		for {
			connection, err := silent.Accept()
			if err != nil {
				return
			}
			asked <- connection // one that nobody holds would be closed
		}
	}()
	r := newRepo(t, nil)
	before := len(log.String())
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	objects, err := r.generate(ctx, named(text("lock", "Ignore"), text("registry-request-timeout", "1m")))
	if err == nil {
		t.Fatalf("no error, and %d objects", len(objects))
	}
	select {
	case connection := <-asked:
		defer connection.Close()
	default:
		t.Error("the registry was not asked, so this proves nothing")
	}
	// Which of the two is first to give up, Argo CD's client or its server, is a
	// matter of a tenth of a second. The server kills the program at once: exec's own
	// way to end it is faster than the SIGTERM that the server sends.
	ended := regexp.MustCompile("`goldenarch render .` failed (signal: (killed|terminated)|exit status 1: goldenarch: stopped by a signal, nothing was written)")
	if !ended.MatchString(err.Error()) && !strings.Contains(err.Error(), "DeadlineExceeded") {
		t.Errorf("the user reads: %v", err)
	}
	if !log.waitFor(before, ended.MatchString) {
		t.Fatalf("the program goes on after the deadline:\n%s", last(log.since(before)))
	}
	if _, err := newRepo(t, nil).generate(t.Context(), named()); err != nil {
		t.Errorf("the next call: %v", err)
	}
}
