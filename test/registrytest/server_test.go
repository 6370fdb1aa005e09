package registrytest_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// get asks a registry as a client without any knowledge would.
func get(t *testing.T, url, proof string) (status int, header http.Header, body string) {
	t.Helper()
	ca := registrytest.CertificateAuthority()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		t.Fatal("the authority is not in PEM")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if proof != "" {
		r.Header.Set("Authorization", proof)
	}
	resp, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(content)
}

// TestServerServesAndCounts asks for each kind once.
func TestServerServesAndCounts(t *testing.T) {
	t.Parallel()
	s, err := registrytest.Start(registrytest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	image := registrytest.Image("linux/arm64")
	s.Push("org/app:1", registrytest.IndexOf(registrytest.Entry{Artifact: image, Platform: "linux/arm64"}))
	var config string
	for digest := range image.Blobs {
		config = digest
	}
	cases := []struct {
		reason, path string
		status       int
		contentType  string
		holds        string
	}{
		{"A ping.", "/v2/", 200, "", ""},
		{"An index by its tag.", "/v2/org/app/manifests/1", 200, "application/vnd.oci.image.index.v1+json", image.Digest()},
		{"What it names was pushed with it.", "/v2/org/app/manifests/" + image.Digest(), 200, "application/vnd.oci.image.manifest.v1+json", config},
		{"And what that names.", "/v2/org/app/blobs/" + config, 200, "application/octet-stream", "arm64"},
		{"Another tag is not there.", "/v2/org/app/manifests/2", 404, "application/json", "MANIFEST_UNKNOWN"},
		{"Nor is another repository.", "/v2/org/ap/blobs/" + config, 404, "application/json", "BLOB_UNKNOWN"},
		{"Nor anything else.", "/metrics", 404, "application/json", ""},
	}
	for _, tc := range cases {
		status, header, body := get(t, s.URL()+tc.path, "")
		if status != tc.status || header.Get("Content-Type") != tc.contentType || !strings.Contains(body, tc.holds) {
			t.Errorf("%s\n%s: got %d %q %s", tc.reason, tc.path, status, header.Get("Content-Type"), body)
		}
	}
	want := registrytest.Counts{Ping: 1, Manifest: 3, Blob: 2, Other: 1}
	if diff := cmp.Diff(want, s.Counts()); diff != "" || s.Counts().Total() != len(cases) {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if s.Connections() != len(cases) {
		t.Errorf("want %d connections, got %d", len(cases), s.Connections())
	}
}

// TestTokensAreForOneRepository goes the way of a client by hand.
func TestTokensAreForOneRepository(t *testing.T) {
	t.Parallel()
	tokens := &registrytest.Tokens{Service: "r"}
	s, err := registrytest.Start(registrytest.Options{Wrappers: []registrytest.Wrapper{tokens.Require()}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Push("a:1", registrytest.Index("linux/amd64")).Push("b:1", registrytest.Index("linux/amd64"))
	status, header, _ := get(t, s.URL()+"/v2/a/manifests/1", "")
	if want := `scope="repository:a:pull"`; status != http.StatusUnauthorized || !strings.Contains(header.Get("WWW-Authenticate"), want) {
		t.Fatalf("want a challenge with %s, got %d %q", want, status, header.Get("WWW-Authenticate"))
	}
	_, _, body := get(t, s.URL()+"/token?service=r&scope=repository:a:pull", "")
	_, rest, _ := strings.Cut(body, `"token":"`)
	token, _, _ := strings.Cut(rest, `"`)
	proof := "Bearer " + token
	if status, _, _ := get(t, s.URL()+"/v2/a/manifests/1", proof); status != http.StatusOK {
		t.Errorf("the token opens its repository, got %d", status)
	}
	if status, _, _ := get(t, s.URL()+"/v2/b/manifests/1", proof); status != http.StatusUnauthorized {
		t.Errorf("it opens no other, got %d", status)
	}
	tokens.Revoke()
	if status, _, _ := get(t, s.URL()+"/v2/a/manifests/1", proof); status != http.StatusUnauthorized {
		t.Errorf("revoked, it opens nothing, got %d", status)
	}
	if got := s.Credentials(); !slices.Equal(got, []string{proof}) {
		t.Errorf("want the token recorded, got %q", got)
	}
}
