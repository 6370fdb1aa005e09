package e2e

import (
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/handlers"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	// The ways a registry is told who is asking, and where it keeps its images.
	_ "github.com/distribution/distribution/v3/registry/auth/htpasswd"
	_ "github.com/distribution/distribution/v3/registry/auth/token"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

const user, password = "robot", "throw-away-passw0rd"

// TestDistribution asks the registry that most others are made of, with a
// password and with tokens.
func TestDistribution(t *testing.T) {
	quiet(t)
	for kind, auth := range map[string]func(t *testing.T) access{"Htpasswd": htpasswdAuth, "Token": tokenAuth} {
		t.Run(kind, func(t *testing.T) {
			server := distribution(t, auth(t))
			host := server.Listener.Addr().String()

			t.Run("Index", func(t *testing.T) {
				image, err := ask(t, server, host+"/org/index:1", password)
				wantPlatforms(t, "An index says its platforms.", image, err, "linux/amd64 linux/arm64")
			})
			t.Run("Single", func(t *testing.T) {
				image, err := ask(t, server, host+"/org/single:1", password)
				wantPlatforms(t, "The config of a single image is read.", image, err, "linux/s390x")
			})
			t.Run("Digest", func(t *testing.T) {
				tagged, err := ask(t, server, host+"/org/index:1", password)
				if err != nil {
					t.Fatal(err)
				}
				image, err := ask(t, server, host+"/org/index@"+tagged.Digest, password)
				wantPlatforms(t, "An index by its digest.", image, err, "linux/amd64 linux/arm64")
			})
			t.Run("WrongPassword", func(t *testing.T) {
				_, err := ask(t, server, host+"/org/single:1", "wr0ng")
				wantDenied(t, "A wrong password is told with the file it came from.", err, "401", "auth.json", host+"/org/single:1")
			})
			t.Run("Nobody", func(t *testing.T) {
				_, err := ask(t, server, host+"/org/single:1", "")
				wantDenied(t, "Who gives no password is told to log in.", err, "401", "podman login "+host)
			})
			t.Run("NoSuchTag", func(t *testing.T) {
				_, err := ask(t, server, host+"/org/single:2", password)
				if !errors.Is(err, registry.ErrNotFound) || !strings.Contains(err.Error(), "MANIFEST_UNKNOWN") {
					t.Errorf("a tag that is not there is told with the registry's words, got %v", err)
				}
			})
		})
	}
}

// distribution starts the registry over TLS, with its images in memory.
func distribution(t *testing.T, a access) *httptest.Server {
	t.Helper()
	config := &configuration.Configuration{
		Storage: configuration.Storage{"inmemory": configuration.Parameters{}},
		Auth:    a.auth,
	}
	config.HTTP.Secret = "the same for all parts of an upload"
	config.Log.AccessLog.Disabled = true
	app := handlers.NewApp(t.Context(), config)
	push(t, app, a.proof)
	server := httptest.NewUnstartedServer(app)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// push pushes an index and a single image. It goes in by a door of its own,
// which adds the proof: go-containerregistry refuses a token service at
// another private address.
func push(t *testing.T, app http.Handler, proof string) {
	t.Helper()
	door := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", proof)
		app.ServeHTTP(rw, r)
	}))
	defer door.Close()
	host := door.Listener.Addr().String()
	index := mutate.AppendManifests(empty.Index,
		mutate.IndexAddendum{Add: image(t, "amd64"), Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "amd64"}}},
		mutate.IndexAddendum{Add: image(t, "arm64"), Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "arm64"}}},
	)
	if err := remote.WriteIndex(tag(t, host+"/org/index:1"), index); err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(tag(t, host+"/org/single:1"), image(t, "s390x")); err != nil {
		t.Fatal(err)
	}
}

func tag(t *testing.T, text string) name.Tag {
	t.Helper()
	parsed, err := name.NewTag(text, name.Insecure)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// image is an image without layers.
func image(t *testing.T, architecture string) v1.Image {
	t.Helper()
	made, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		OS: "linux", Architecture: architecture, RootFS: v1.RootFS{Type: "layers", DiffIDs: []v1.Hash{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// ask resolves a reference with our client; without a password it has no login.
func ask(t *testing.T, server *httptest.Server, text, password string) (registry.Image, error) {
	t.Helper()
	ref, err := imageref.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	o := registry.Options{RootCAs: roots, Env: func(string) string { return "" }}
	if password != "" {
		o.AuthFile = filepath.Join(t.TempDir(), "auth.json")
		write(t, o.AuthFile, `{"auths":{"`+ref.Host()+`":{"auth":"`+basic(user, password)+`"}}}`)
	}
	client := registry.New(o)
	defer client.Close()
	return client.Resolve(t.Context(), ref)
}

func wantPlatforms(t *testing.T, reason string, image registry.Image, err error, want string) {
	t.Helper()
	var got []string
	for _, p := range image.Platforms {
		got = append(got, p.String())
	}
	if err != nil || strings.Join(got, " ") != want {
		t.Errorf("%s\nwant %q, got %q, %v", reason, want, got, err)
	}
}

func wantDenied(t *testing.T, reason string, err error, says ...string) {
	t.Helper()
	var e *registry.Error
	if !errors.As(err, &e) || !errors.Is(err, registry.ErrDenied) || e.Status != http.StatusUnauthorized {
		t.Fatalf("%s\nwant a refusal with the status 401, got %v", reason, err)
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s\nthe error must hold %q: %v", reason, part, err)
		}
	}
	if strings.Contains(err.Error(), "wr0ng") || strings.Contains(err.Error(), basic(user, "wr0ng")) {
		t.Errorf("%s\nthe error holds the password: %v", reason, err)
	}
}
