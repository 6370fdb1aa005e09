package registry_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// Every question ends in the right answer or in a clear error, and by itself: deadline is far
// beyond what any of them takes.
const deadline = 30 * time.Second

// Planted secrets: no error may repeat one.
const (
	plantedUser      = "robot"
	plantedPassword  = "pl4nted-passw0rd"
	plantedIdentity  = "pl4nted-1dentity"
	plantedSignature = "pl4nted-s1gnature"
)

// start starts a registry for one test.
func start(t *testing.T, o registrytest.Options) *registrytest.Server {
	t.Helper()
	s, err := registrytest.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// with is a registry over TLS and HTTP/2 that behaves as the wrappers say.
func with(t *testing.T, wrappers ...registrytest.Wrapper) *registrytest.Server {
	t.Helper()
	return start(t, registrytest.Options{Wrappers: wrappers})
}

// trusting are options that trust the test registries, know no user's files,
// and try again once.
func trusting(t *testing.T) registry.Options {
	t.Helper()
	pool := registrytest.RootCAs()
	return registry.Options{
		RootCAs:        pool,
		RequestTimeout: 10 * time.Second,
		Retries:        1,
		Env:            func(string) string { return "" },
	}
}

// unhurried are the same for tests that count: on a busy machine no host is late.
func unhurried(t *testing.T) registry.Options {
	t.Helper()
	o := trusting(t)
	o.RequestTimeout = 10 * deadline
	return o
}

// client is a Client that is closed with the test.
func client(t *testing.T, o registry.Options) *registry.Client {
	t.Helper()
	c := registry.New(o)
	t.Cleanup(c.Close)
	return c
}

// login writes an auth file; logins are "user:password" by key.
func login(t *testing.T, logins map[string]string) string {
	t.Helper()
	auths := map[string]map[string]string{}
	for key, value := range logins {
		auths[key] = map[string]string{"auth": base64.StdEncoding.EncodeToString([]byte(value))}
	}
	return authFile(t, map[string]any{"auths": auths})
}

func authFile(t *testing.T, content any) string {
	t.Helper()
	text, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "auth.json")
	filetest.File(t, name, string(text))
	return name
}

// reference names an image of a registry.
func reference(t *testing.T, s *registrytest.Server, name string) imageref.Reference {
	t.Helper()
	ref, err := imageref.Parse(s.Host() + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// fill pushes images, the first of them single ones, each into its own
// repository org/rN.
func fill(t *testing.T, s *registrytest.Server, images, singles int) []imageref.Reference {
	t.Helper()
	var refs []imageref.Reference
	for i := range images {
		name := fmt.Sprintf("org/r%d:1", i)
		if i < singles {
			s.Push(name, registrytest.Image("linux/arm64"))
		} else {
			s.Push(name, registrytest.Index("linux/amd64", "linux/arm64"))
		}
		refs = append(refs, reference(t, s, name))
	}
	return refs
}

// resolve asks one question, and checks that it ends by itself.
func resolve(t *testing.T, r registry.Resolver, ref imageref.Reference) (registry.Image, error) {
	t.Helper()
	result := resolveAll(t, r, []imageref.Reference{ref})[0]
	return result.Image, result.Err
}

func resolveAll(t *testing.T, r registry.Resolver, refs []imageref.Reference) []registry.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	results := registry.ResolveAll(ctx, r, refs)
	if ctx.Err() != nil {
		t.Errorf("it did not end by itself within %s", deadline)
	}
	return results
}

// failures are the errors of a run over all references.
func failures(t *testing.T, r registry.Resolver, refs []imageref.Reference) []error {
	t.Helper()
	var errs []error
	for _, result := range resolveAll(t, r, refs) {
		if result.Err != nil {
			errs = append(errs, result.Err)
		}
	}
	return errs
}

// answer is a fault of any kind.
func answer(do func(rw http.ResponseWriter, r *http.Request, next http.Handler)) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { do(rw, r, next) })
	}
}

// reply is an answer with a status.
func reply(status int) registrytest.Wrapper { return registrytest.Reply(status, nil) }

// headers are those of all answers: name, value, name, value. None is empty.
func headers(list ...string) registrytest.Wrapper {
	return answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		for pair := range slices.Chunk(list, 2) {
			if pair[1] != "" {
				rw.Header().Set(pair[0], pair[1])
			}
		}
		next.ServeHTTP(rw, r)
	})
}

// challenging is an answer with challenges.
func challenging(challenges ...string) registrytest.Wrapper {
	return registrytest.Reply(http.StatusUnauthorized, http.Header{"Www-Authenticate": challenges})
}

// refusing answers every request that carries a login.
func refusing(status int) registrytest.Wrapper {
	return answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasPrefix(r.Header.Get("Authorization"), "Basic ") {
			rw.WriteHeader(status)
			return
		}
		next.ServeHTTP(rw, r)
	})
}

// errorOf is the error of a reference, or an empty one.
func errorOf(err error) *registry.Error {
	e, ok := errors.AsType[*registry.Error](err)
	if !ok {
		return &registry.Error{}
	}
	return e
}
