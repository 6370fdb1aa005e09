package registry

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	ggcr "github.com/google/go-containerregistry/pkg/registry"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// fakeRegistry serves go-containerregistry's registry and counts what it is
// asked.
type fakeRegistry struct {
	*httptest.Server
	handler http.Handler

	mu          sync.Mutex
	raw         map[string]content // by path
	requests    []string           // "GET /v2/a/manifests/1"
	connections int
}

type content struct{ mediaType, body string }

// ServeHTTP serves what was put as it is: go-containerregistry's registry
// takes no index without its children, and nothing malformed.
func (f *fakeRegistry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	c, ok := f.raw[r.URL.Path]
	f.mu.Unlock()
	if !ok {
		f.handler.ServeHTTP(w, r)
		return
	}
	w.Header()["Content-Type"] = []string{c.mediaType}
	w.Write([]byte(c.body))
}

// serve starts a registry. wrap may stand before it.
func serve(t *testing.T, start func(*httptest.Server), wrap func(http.Handler) http.Handler) *fakeRegistry {
	t.Helper()
	f := &fakeRegistry{handler: ggcr.New(ggcr.Logger(log.New(discard{}, "", 0))), raw: map[string]content{}}
	served := http.Handler(f)
	if wrap != nil {
		served = wrap(f)
	}
	f.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.requests = append(f.requests, r.Method+" "+r.URL.Path)
		f.mu.Unlock()
		served.ServeHTTP(w, r)
	}))
	f.Config.ErrorLog = log.New(discard{}, "", 0)
	f.Config.ConnState = countNew(&f.mu, &f.connections)
	start(f.Server)
	t.Cleanup(f.Close)
	return f
}

func plainHTTP(s *httptest.Server) { s.Start() }

func tlsHTTP1(s *httptest.Server) { s.StartTLS() }

func tlsHTTP2(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() }

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// host is the address as references write it.
func (f *fakeRegistry) host() string { return f.Listener.Addr().String() }

// asked returns how many requests there were whose method and path hold the
// text.
func (f *fakeRegistry) asked(text string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, r := range f.requests {
		if strings.Contains(r, text) {
			n++
		}
	}
	return n
}

// options are right for the registry: they trust its certificate, and know of
// no user's files.
func (f *fakeRegistry) options() Options {
	o := Options{Env: noEnv, RequestTimeout: time.Minute}
	if f.TLS == nil {
		o.Insecure = []string{f.host()}
		return o
	}
	o.RootCAs = x509.NewCertPool()
	o.RootCAs.AddCert(f.Certificate())
	return o
}

func noEnv(string) string { return "" }

// ref makes a reference into the registry: "a/b:1", "a/b@sha256:...".
func (f *fakeRegistry) ref(t *testing.T, name string) imageref.Reference {
	t.Helper()
	ref, err := imageref.Parse(f.host() + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// put stores a manifest, past all wrappers and counts, and returns its digest.
func (f *fakeRegistry) put(t *testing.T, repository, tag, mediaType, body string) string {
	t.Helper()
	digest := digestOf([]byte(body))
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range []string{tag, digest} {
		f.raw["/v2/"+repository+"/manifests/"+name] = content{mediaType, body}
	}
	return digest
}

// blob stores a blob and returns its digest.
func (f *fakeRegistry) blob(t *testing.T, repository, content string) string {
	t.Helper()
	digest := digestOf([]byte(content))
	f.do(t, http.MethodPost, "/v2/"+repository+"/blobs/uploads/?digest="+url.QueryEscape(digest), "application/octet-stream", content)
	return digest
}

func (f *fakeRegistry) do(t *testing.T, method, path, mediaType, body string) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", mediaType)
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	if w.Code/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
}

const (
	ociIndex    = "application/vnd.oci.image.index.v1+json"
	ociManifest = "application/vnd.oci.image.manifest.v1+json"
	ociConfig   = "application/vnd.oci.image.config.v1+json"
	dockerList  = "application/vnd.docker.distribution.manifest.list.v2+json"
	dockerImage = "application/vnd.docker.distribution.manifest.v2+json"
)

// image stores a single image with this configuration and returns its digest
// and its manifest.
func (f *fakeRegistry) image(t *testing.T, repository, tag, config string) (digest, manifest string) {
	t.Helper()
	d := f.blob(t, repository, config)
	manifest = fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":%q,"digest":%q,"size":%d},"layers":[]}`,
		ociManifest, ociConfig, d, len(config))
	return f.put(t, repository, tag, ociManifest, manifest), manifest
}

// entry is a descriptor of an index.
func entry(digest, platform string) string {
	e := map[string]any{"mediaType": ociManifest, "digest": digest, "size": 500}
	if platform != "" {
		parts := append(strings.Split(platform, "/"), "")
		e["platform"] = map[string]string{"os": parts[0], "architecture": parts[1], "variant": parts[2]}
	}
	b, _ := json.Marshal(e)
	return string(b)
}

// index returns an index of the entries.
func index(entries ...string) string {
	return fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"manifests":[%s]}`, ociIndex, strings.Join(entries, ","))
}

// some is a digest that nothing has.
func some(n int) string { return fmt.Sprintf("sha256:%064x", n) }

func config(os, architecture string) string {
	return fmt.Sprintf(`{"os":%q,"architecture":%q,"rootfs":{"type":"layers","diff_ids":[]}}`, os, architecture)
}

// run bounds a test that hangs.
func run(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func countNew(mu *sync.Mutex, n *int) func(c net.Conn, s http.ConnState) {
	return func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			mu.Lock()
			*n++
			mu.Unlock()
		}
	}
}
