package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

func TestInsecureIsOptIn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, insecure string
		kind             error
	}{
		{"A host without port means all its ports.", "127.0.0.1", nil},
		{"Another port is another host.", "127.0.0.1:1", ErrUnreachable},
	} {
		f := serve(t, plainHTTP, nil)
		f.put(t, "a/b", "1", ociIndex, index(entry(some(1), "linux/amd64")))
		c := New(Options{Env: noEnv, Insecure: []string{tc.insecure}})
		defer c.Close()
		image, err := c.Resolve(run(t), f.ref(t, "a/b:1"))
		check(t, tc.reason, image, err, tc.kind, nil, "linux/amd64")
		if tc.kind != nil && f.asked("") > 0 {
			t.Errorf("%s\nit was asked %d times", tc.reason, f.asked(""))
		}
	}
}

func TestDeadHostIsAskedOnce(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var dialled atomic.Int32
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			dialled.Add(1)
			conn.Close()
		}
	}()
	defer listener.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()

	for name, host := range map[string]string{"Refused": closed.Addr().String(), "HangsUp": listener.Addr().String(), "NoSuchHost": "registry.invalid"} {
		t.Run(name, func(t *testing.T) {
			var refs []imageref.Reference
			for i := range 200 {
				ref, err := imageref.Parse(fmt.Sprintf("%s/a/b%d:1", host, i))
				if err != nil {
					t.Fatal(err)
				}
				refs = append(refs, ref)
			}
			c := New(Options{Env: noEnv, RequestTimeout: 5 * time.Second})
			defer c.Close()
			dead := map[error]bool{}
			for _, r := range ResolveAll(run(t), c, refs) {
				check(t, "All fail.", r.Image, r.Err, ErrUnreachable, []string{host})
				var e *Error
				var h *transport.HostError
				if errors.As(r.Err, &e) && errors.As(e.Err, &h) && h.GivenUp {
					dead[e.Err] = true
				}
			}
			if len(dead) != 1 {
				t.Errorf("want one failure for all, got %d", len(dead))
			}
			if name == "HangsUp" && dialled.Load() > 50 {
				t.Errorf("a dead host was dialled %d times for 200 images", dialled.Load())
			}
		})
	}
}

// once applies a fault to the first requests for manifests.
func once(times int, fault http.HandlerFunc) func(http.Handler) http.Handler {
	var n atomic.Int32
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if int(n.Add(1)) <= times {
				fault(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func abort(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func truncate(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	io.WriteString(w, `{"manifests":[`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func TestFaultsOnTheWireAreRetried(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]http.HandlerFunc{"Reset": abort, "Truncated": truncate} {
		for protocol, start := range map[string]func(*httptest.Server){"HTTP1": tlsHTTP1, "HTTP2": tlsHTTP2} {
			t.Run(name+protocol, func(t *testing.T) {
				t.Parallel()
				f := serve(t, start, once(2, fault))
				f.put(t, "a/b", "1", ociIndex, index(entry(some(1), "linux/amd64")))
				c := New(f.options())
				defer c.Close()
				image, err := c.Resolve(run(t), f.ref(t, "a/b:1"))
				check(t, "Twice broken, then right.", image, err, nil, nil, "linux/amd64")
				if got := f.asked(""); got != 3 {
					t.Errorf("want 3 requests, got %d", got)
				}
			})
		}
	}
}

func TestSlowAnswersEnd(t *testing.T) {
	t.Parallel()
	drip := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, " "); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, fault := range map[string]http.HandlerFunc{"Drip": drip, "Silent": silent} {
		for limit, options := range map[string]struct {
			request, run time.Duration
			kind         error
		}{
			"Request": {200 * time.Millisecond, 20 * time.Second, ErrUnreachable},
			"Run":     {20 * time.Second, 200 * time.Millisecond, context.DeadlineExceeded},
		} {
			t.Run(name+limit, func(t *testing.T) {
				t.Parallel()
				f := serve(t, tlsHTTP2, once(1000, fault))
				o := f.options()
				o.RequestTimeout = options.request
				c := New(o)
				defer c.Close()
				ctx, cancel := context.WithTimeout(t.Context(), options.run)
				defer cancel()
				image, err := c.Resolve(ctx, f.ref(t, "a/b:1"))
				check(t, "It ends with the deadline.", image, err, options.kind, nil)
				if got := f.asked(""); got > 2 {
					t.Errorf("a slow host was asked %d times", got)
				}
			})
		}
	}
}

func TestBlobsElsewhere(t *testing.T) {
	t.Parallel()
	var leaked atomic.Int32
	arm := config("linux", "arm64")
	storage := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.URL.Query().Get("sig") != "secret" {
			leaked.Add(1)
		}
		if r.URL.Path == "/denied" {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprintf(w, "<Error>https://storage/denied?sig=secret expired</Error>")
			return
		}
		io.WriteString(w, arm)
	}))
	storage.StartTLS()
	defer storage.Close()
	for path, kind := range map[string]error{"/blob": nil, "/denied": ErrDenied} {
		f := serve(t, tlsHTTP2, func(next http.Handler) http.Handler {
			return basicAuth(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Path, "/blobs/") {
					http.Redirect(w, r, storage.URL+path+"?sig=secret", http.StatusTemporaryRedirect)
					return
				}
				next.ServeHTTP(w, r)
			}))
		})
		f.image(t, "a/b", "1", arm)
		o := f.options()
		o.RootCAs.AddCert(storage.Certificate())
		o.AuthFile = login(t, f.host(), user, password)
		c := New(o)
		image, err := c.Resolve(run(t), f.ref(t, "a/b:1"))
		c.Close()
		check(t, "Blobs lie in a store elsewhere.", image, err, kind, nil, "linux/arm64")
	}
	if leaked.Load() > 0 {
		t.Error("the store got the registry's credentials, or no signature")
	}
}

// TestManifestsElsewhere redirects to a registry that wants a token of its own.
func TestManifestsElsewhere(t *testing.T) {
	t.Parallel()
	var proofs atomic.Int32
	b := &bearer{}
	other := serve(t, tlsHTTP2, func(next http.Handler) http.Handler {
		b.next = next
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.Header.Get("Authorization"), "Basic") {
				proofs.Add(1)
			}
			b.ServeHTTP(w, r)
		})
	})
	other.put(t, "a/b", "1", ociIndex, index(entry(some(1), "linux/amd64")))
	f := serve(t, tlsHTTP2, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
		})
	})
	o := f.options()
	o.RootCAs.AddCert(other.Certificate())
	o.AuthFile = authFile(t,
		fmt.Sprintf(`{"auths":{%q:{"username":%q,"password":%q},%q:{"username":%q,"password":%q}}}`, f.host(), user, password, other.host(), user, password))
	c := New(o)
	defer c.Close()
	image, err := c.Resolve(run(t), f.ref(t, "a/b:1"))
	check(t, "Another registry is asked anonymously.", image, err, nil, nil, "linux/amd64")
	if proofs.Load() > 0 {
		t.Error("a host that a redirect chose got credentials")
	}
}

func TestProxyIsNamedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	proxy := &url.URL{Scheme: "http", Host: closed.Addr().String(), User: url.UserPassword(user, "secret")}
	c := New(Options{Env: func(key string) string {
		if key == "https_proxy" {
			return proxy.String()
		}
		return ""
	}})
	defer c.Close()
	ref, err := imageref.Parse("registry.example/a/b:1")
	if err != nil {
		t.Fatal(err)
	}
	image, err := c.Resolve(run(t), ref)
	check(t, "The proxy is what does not answer.", image, err, ErrUnreachable, []string{"through proxy http://" + proxy.Host, "HTTPS_PROXY"})
}
