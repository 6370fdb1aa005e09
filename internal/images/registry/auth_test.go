package registry

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

const (
	user     = "me"
	password = "pa:ss w0rd"
)

// bearer stands before a registry and wants a token for each repository.
type bearer struct {
	next http.Handler
	// realm is where tokens are; "" means /token of the registry itself.
	realm string
	// who is the Authorization that the token service wants; "" is anyone.
	who string
	// access answers with access_token.
	access bool
	tokens atomic.Int32
}

func (b *bearer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/token" {
		b.token(w, r)
		return
	}
	proof := r.Header.Get("Authorization")
	repository := strings.TrimPrefix(r.URL.Path, "/v2/")
	repository, _, _ = strings.Cut(repository, "/manifests/")
	repository, _, _ = strings.Cut(repository, "/blobs/")
	scope := "repository:" + repository + ":pull"
	if !strings.HasPrefix(proof, "Bearer for_"+strings.ReplaceAll(scope, "/", "_")) {
		realm := b.realm
		if realm == "" {
			realm = "https://" + r.Host + "/token"
			if r.TLS == nil {
				realm = "http://" + r.Host + "/token"
			}
		}
		w.Header().Add("WWW-Authenticate", `Negotiate, Bearer realm="`+realm+`",service="reg, istry",scope="`+scope+`"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	b.next.ServeHTTP(w, r)
}

func (b *bearer) token(w http.ResponseWriter, r *http.Request) {
	r.ParseForm()
	if b.who != "" && r.Header.Get("Authorization") != b.who || r.Form.Get("service") != "reg, istry" {
		w.WriteHeader(http.StatusUnauthorized)
		w.Write([]byte(`{"errors":[{"code":"UNAUTHORIZED","message":"bad credentials"}]}`))
		return
	}
	key := "token"
	if b.access {
		key = "access_token"
	}
	token := fmt.Sprintf("for_%s.%d", strings.ReplaceAll(r.Form.Get("scope"), "/", "_"), b.tokens.Add(1))
	json.NewEncoder(w).Encode(map[string]any{key: token})
}

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// authFile writes an auth file and returns its name. Keys are "%s" for the
// registry's host.
func authFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "auth.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func login(t *testing.T, key, user, password string) string {
	return authFile(t, fmt.Sprintf(`{"auths":{%q:{"auth":%q}}}`, key, base64.StdEncoding.EncodeToString([]byte(user+":"+password))))
}

// fill stores images and returns references to them.
func fill(t *testing.T, f *fakeRegistry, images, singles int) []imageref.Reference {
	var refs []imageref.Reference
	for i := range images {
		repository := fmt.Sprintf("org/image%d", i)
		if i < singles {
			f.image(t, repository, "1", config("linux", "arm64"))
		} else {
			f.put(t, repository, "1", ociIndex, index(entry(some(1), "linux/amd64"), entry(some(2), "linux/arm64")))
		}
		refs = append(refs, f.ref(t, repository+":1"))
	}
	return refs
}

func resolveAll(t *testing.T, c *Client, refs []imageref.Reference) {
	t.Helper()
	for _, r := range ResolveAll(run(t), c, refs) {
		if r.Err != nil {
			t.Fatalf("%s: %v", r.Reference, r.Err)
		}
	}
}

func TestCredentialsReachTheRegistry(t *testing.T) {
	t.Parallel()
	good := basic(user, password)
	cases := map[string]struct {
		reason string
		start  func(*httptest.Server)
		bearer *bearer
		file   string // for the host %s
		allow  bool
		kind   error
		says   []string
	}{
		"Bearer": {
			reason: "The token service gets the credentials.", start: tlsHTTP2,
			bearer: &bearer{who: good}, file: "login",
		},
		"AccessToken": {
			reason: "Some services send only access_token.", start: tlsHTTP2,
			bearer: &bearer{who: good, access: true}, file: "login",
		},
		"RegistryToken": {
			reason: "A registry token is sent as it is.", start: tlsHTTP2,
			bearer: &bearer{who: "nobody"}, file: `{"auths":{"%s":{"registrytoken":"for_repository:a_b:pull"}}}`,
		},
		"WrongPassword": {
			reason: "The refusal names the file, not the password.", start: tlsHTTP2,
			bearer: &bearer{who: "Basic other"}, file: "login",
			kind: ErrDenied, says: []string{"401", "UNAUTHORIZED: bad credentials", "auth.json", "podman login"},
		},
		"NotLoggedIn": {
			reason: "Without credentials the hint is to log in.", start: tlsHTTP2,
			bearer: &bearer{who: good},
			kind:   ErrDenied, says: []string{"token service", "401", "podman login"},
		},
		"InsecureRegistry": {
			reason: "Credentials are not sent where anybody may listen.", start: plainHTTP,
			bearer: &bearer{who: good}, file: "login",
			kind: ErrDenied, says: []string{"were not sent: the registry is insecure; --allow-insecure-credentials sends them"},
		},
		"InsecureRegistryAllowed": {
			reason: "Unless told so.", start: plainHTTP,
			bearer: &bearer{who: good}, file: "login", allow: true,
		},
		"RealmNoURL": {
			reason: "Nor nowhere.", start: tlsHTTP2,
			bearer: &bearer{realm: "token"},
			kind:   ErrContent, says: []string{"not an http or https URL"},
		},
		"RealmLong": {
			reason: "What names no host is shown in part.", start: tlsHTTP2,
			bearer: &bearer{realm: "https://" + strings.Repeat("a", 30_000) + "/token"},
			kind:   ErrContent, says: []string{`("https://` + strings.Repeat("a", 67) + `...")`},
		},
		"BrokenFile": {
			reason: "A broken file is named, and nothing of it repeated.", start: tlsHTTP2,
			bearer: &bearer{who: good}, file: `{"auths":{"%s":{"auth":secret}}}`,
			kind: ErrCredentials, says: []string{"auth.json is broken", "at byte"},
		},
		"HelperMissingPublic": {
			reason: "A helper that is missing does not matter for a public image.", start: tlsHTTP2,
			file: `{"credHelpers":{"%s":"gone"}}`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tc.bearer
			if b == nil {
				b = &bearer{}
			}
			f := serve(t, tc.start, func(next http.Handler) http.Handler { b.next = next; return b })
			f.put(t, "a/b", "1", ociIndex, index(entry(some(1), "linux/amd64")))
			o := f.options()
			o.AllowInsecureCredentials = tc.allow
			switch tc.file {
			case "":
			case "login":
				o.AuthFile = login(t, f.host(), user, password)
			default:
				o.AuthFile = authFile(t, strings.ReplaceAll(tc.file, "%s", f.host()))
			}
			c := New(o)
			defer c.Close()
			image, err := c.Resolve(run(t), f.ref(t, "a/b:1"))
			check(t, tc.reason, image, err, tc.kind, tc.says, "linux/amd64")
		})
	}
}

// check compares an answer with what was expected: platforms, or an error of
// a kind that says all that is asked, and no secret.
func check(t *testing.T, reason string, image Image, err, kind error, says []string, platforms ...string) {
	t.Helper()
	if kind == nil {
		var got []string
		for _, p := range image.Platforms {
			got = append(got, p.String())
		}
		if err != nil || !slices.Equal(got, platforms) {
			t.Errorf("%s\nwant %q, got %q, %v", reason, platforms, got, err)
		}
		return
	}
	var e *Error
	if !errors.As(err, &e) || !errors.Is(err, kind) {
		t.Fatalf("%s\nwant an *Error of the kind %q, got %v", reason, kind, err)
	}
	for _, part := range append(says, e.Reference, e.Registry) {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s\nthe error must hold %q: %v", reason, part, err)
		}
	}
	for _, secret := range []string{password, "w0rd", basic(user, password), "secret"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%s\nthe error holds a secret: %v", reason, err)
		}
	}
}

// basicAuth stands before a registry and wants a password.
func basicAuth(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u, p, _ := r.BasicAuth(); u != user || p != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestHelperRunsOnceARegistry(t *testing.T) {
	t.Parallel()
	f := serve(t, tlsHTTP2, basicAuth)
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho run >> %[1]s/runs\ncat > %[1]s/asked\necho '{\"ServerURL\":\"x\",\"Username\":%[2]q,\"Secret\":%[3]q}'\n",
		dir, user, password)
	// A program that is open for writing in a fork cannot be run (ETXTBSY).
	syscall.ForkLock.RLock()
	err := os.WriteFile(filepath.Join(dir, "docker-credential-fake"), []byte(script), 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{"CredHelpers": `{"credHelpers":{"%s":"fake"}}`, "CredsStore": `{"credsStore":"fake","auths":{"%s":{}}}`} {
		t.Run(name, func(t *testing.T) {
			os.Remove(filepath.Join(dir, "runs"))
			o := f.options()
			o.AuthFile = authFile(t, strings.ReplaceAll(file, "%s", f.host()))
			o.Env = func(key string) string {
				if key == "PATH" {
					return dir
				}
				return ""
			}
			c := New(o)
			defer c.Close()
			resolveAll(t, c, fill(t, f, 20, 5))
			runs, _ := os.ReadFile(filepath.Join(dir, "runs"))
			asked, _ := os.ReadFile(filepath.Join(dir, "asked"))
			if string(runs) != "run\n" || string(asked) != f.host() {
				t.Errorf("want one run for %s, got %q for %q", f.host(), runs, asked)
			}
		})
	}
}

// TestHiddenRepository asks a registry that answers 404 for what the asker may
// not see, and challenges only at /v2/.
func TestHiddenRepository(t *testing.T) {
	t.Parallel()
	hide := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if u, p, _ := r.BasicAuth(); u == user && p == password {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
			if r.URL.Path == "/v2/" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			w.Header().Del("WWW-Authenticate")
			w.WriteHeader(http.StatusNotFound)
		})
	}
	f := serve(t, tlsHTTP2, hide)
	refs := fill(t, f, 10, 0)
	o := f.options()
	o.AuthFile = login(t, f.host(), user, password)
	c := New(o)
	defer c.Close()
	resolveAll(t, c, refs)
	if got := f.asked("GET /v2/") - f.asked("GET /v2/org"); got != 1 {
		t.Errorf("want /v2/ asked once, got %d", got)
	}
	anonymous := New(f.options())
	defer anonymous.Close()
	_, err := anonymous.Resolve(run(t), refs[0])
	check(t, "Anonymous, 404 may mean private.", Image{}, err, ErrNotFound, []string{"404", "log in"})
}
