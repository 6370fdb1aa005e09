package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// fill stores n indexes and returns their references.
func (f *fakeRegistry) fill(t *testing.T, n int) []imageref.Reference {
	t.Helper()
	refs := make([]imageref.Reference, n)
	for i := range refs {
		name := fmt.Sprintf("org/r%d", i)
		f.put(t, name, "1", ociIndex, index(entry(some(1), "linux/amd64")))
		refs[i] = f.ref(t, name+":1")
	}
	return refs
}

// TestWaitKeepsTheWords: a wait that is too long is told with what the
// registry said.
func TestWaitKeepsTheWords(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]string{"WithRetryAfter": "20", "Without": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := serve(t, tlsHTTP2, func(http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					if after != "" {
						w.Header().Set("Retry-After", after)
					}
					w.WriteHeader(http.StatusTooManyRequests)
					fmt.Fprint(w, `{"errors":[{"code":"TOOMANYREQUESTS","message":"You have reached your pull rate limit"}]}`)
				})
			})
			// Far more than the first answer takes on a busy machine, and less than all retries.
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			o := f.options()
			o.Retries = 20
			c := New(o)
			defer c.Close()
			_, err := c.Resolve(ctx, f.ref(t, "org/a:1"))
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, ErrBusy) || e.Status != http.StatusTooManyRequests {
				t.Fatalf("want ErrBusy with status 429, got %v", err)
			}
			for _, want := range []string{"429", "pull rate limit"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error lacks %q: %v", want, err)
				}
			}
			if strings.Contains(err.Error(), " 0s") {
				t.Errorf("a wait of 0s is not too long: %v", err)
			}
		})
	}
}

// TestFailedFirstRequestPassesItsTurn: after one that was cancelled the others
// are still challenged once, not each for itself.
func TestFailedFirstRequestPassesItsTurn(t *testing.T) {
	t.Parallel()
	f := serve(t, tlsHTTP2, func(next http.Handler) http.Handler { return &bearer{next: next} })
	refs := f.fill(t, 30)
	c := New(f.options())
	defer c.Close()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Resolve(cancelled, refs[0]); err == nil {
		t.Fatal("a cancelled request must fail")
	}
	for _, r := range ResolveAll(run(t), c, refs[1:]) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	if got, want := f.asked(""), 2*len(refs[1:])+2; got > want {
		t.Errorf("want at most %d requests, got %d", want, got)
	}
}

// TestRedirectBehindTheChallenge: the request that carries the token is
// redirected to a host that wants an anonymous token of its own.
func TestRedirectBehindTheChallenge(t *testing.T) {
	t.Parallel()
	other := serve(t, tlsHTTP2, func(next http.Handler) http.Handler { return &bearer{next: next} })
	other.fill(t, 1)
	f := serve(t, tlsHTTP2, func(http.Handler) http.Handler {
		return &bearer{next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://"+other.host()+r.URL.Path, http.StatusTemporaryRedirect)
		})}
	})
	o := f.options()
	o.RootCAs.AddCert(other.Certificate())
	image, err := New(o).Resolve(run(t), f.ref(t, "org/r0:1"))
	if err != nil {
		t.Fatal(err)
	}
	if got := image.Platforms.Linux().String(); got != "amd64" {
		t.Errorf("want amd64, got %q", got)
	}
}
