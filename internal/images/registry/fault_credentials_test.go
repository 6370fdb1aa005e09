package registry_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestPathScopedLogins has a login for each namespace, one for the host and
// one for a single repository: each image is asked for with its own, in each
// of 30 runs.
func TestPathScopedLogins(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{"host": "p0", "org": "p1", "app": "p2", "other": "p3"}
	owner := map[string]string{"free/image": "host", "org/image": "org", "org/app": "app", "org/app/sub": "app", "organic/image": "host", "other/image": "other"}
	may := func(user, repository string) bool { return owner[repository] == user }
	tokens := &registrytest.Tokens{Service: "r", Users: users, May: may}
	var basic []registrytest.Wrapper
	for repository, user := range owner {
		only := registrytest.Users{user: users[user]}
		basic = append(basic, registrytest.OnRepository(repository, registrytest.Basic(only)))
	}
	for name, auth := range map[string][]registrytest.Wrapper{"Basic": basic, "Bearer": {tokens.Require()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t, auth...)
			var refs []imageref.Reference
			for repository := range owner {
				s.Push(repository+":1", registrytest.Index("linux/amd64"))
				refs = append(refs, reference(t, s, repository+":1"))
			}
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{
				s.Host() + "/other": "other:p3", s.Host(): "host:p0", s.Host() + "/org/app": "app:p2", s.Host() + "/org": "org:p1",
			})
			for run := range 30 {
				if errs := failures(t, client(t, o), refs); len(errs) > 0 {
					t.Fatalf("run %d of 30: %v", run+1, errs[0])
				}
			}
		})
	}
}

// TestWrongLoginIsToldWithoutItsPassword is refused, by a server that says
// more than it should.
func TestWrongLoginIsToldWithoutItsPassword(t *testing.T) {
	t.Parallel()
	echo := func(status int) registrytest.Wrapper {
		return func(http.Handler) http.Handler {
			return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				rw.WriteHeader(status)
				user, password, _ := r.BasicAuth()
				_, _ = fmt.Fprintf(rw, `{"errors":[{"code":"DENIED","message":"https://%s:%s@r.example/v2/?token=%s Authorization: %s"}]}`,
					user, password, plantedSignature, r.Header.Get("Authorization"))
			})
		}
	}
	wants := (&registrytest.Tokens{Service: "r"}).Require()
	challenge := registrytest.First(1, registrytest.Basic(nil))
	cases := map[string]struct {
		reason   string
		wrappers []registrytest.Wrapper
		status   int
	}{
		"Registry403": {"The registry repeats the password.", []registrytest.Wrapper{challenge, echo(http.StatusForbidden)}, 403},
		"Token401":    {"The token service repeats it.", []registrytest.Wrapper{registrytest.On(registrytest.Token, echo(http.StatusUnauthorized)), wants}, 401},
		"TokenRefused": {
			reason:   "The registry repeats the token.",
			wrappers: []registrytest.Wrapper{registrytest.On(registrytest.Manifest, registrytest.After(1, echo(http.StatusForbidden))), wants},
			status:   403,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t, tc.wrappers...)
			ref := fill(t, s, 1, 0)[0]
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{s.Host(): plantedUser + ":" + plantedPassword})
			image, err := resolve(t, client(t, o), ref)
			outcome{kind: registry.ErrDenied, status: tc.status, says: []string{"DENIED", "auth.json"}}.
				check(t, tc.reason, ref, image, err)
			if len(s.Credentials()) == 0 {
				t.Errorf("%s\nno credentials were sent: the test proves nothing", tc.reason)
			}
		})
	}
}

// TestCredentialsStayWithTheirHost counts which credentials each host sees.
func TestCredentialsStayWithTheirHost(t *testing.T) {
	t.Parallel()
	proof := "Basic " + base64.StdEncoding.EncodeToString([]byte(plantedUser+":"+plantedPassword))
	users := registrytest.Users{plantedUser: plantedPassword}
	cases := map[string]struct {
		reason string
		// token and registry are how the two hosts listen.
		token, registry registrytest.Options
		insecure        bool // both are listed as insecure
		want            []string
		kind            error
	}{
		"TLS": {
			reason: "The token service that the registry names gets the password, the registry the token only.",
			want:   []string{proof},
		},
		"TokenPlain": {
			reason: "A token service without TLS gets nothing.",
			token:  registrytest.Options{PlainHTTP: true}, kind: registry.ErrContent,
		},
		"TokenPlainInsecure": {
			reason: "Nor where the user lists it as insecure.",
			token:  registrytest.Options{PlainHTTP: true}, insecure: true, kind: registry.ErrContent,
		},
		"AllPlain": {
			reason: "A registry that anybody can listen to gets no password, and the error says so.",
			token:  registrytest.Options{PlainHTTP: true}, registry: registrytest.Options{PlainHTTP: true}, insecure: true, kind: registry.ErrDenied,
		},
		"RegistryPlain": {
			reason:   "It may not send us to a safe one with it either.",
			registry: registrytest.Options{PlainHTTP: true}, insecure: true, kind: registry.ErrDenied,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tokens := &registrytest.Tokens{Service: "r", Users: users}
			tc.token.Wrappers = []registrytest.Wrapper{tokens.Serve()}
			service := start(t, tc.token)
			tokens.Realm = service.URL() + registrytest.TokenPath
			tc.registry.Wrappers = []registrytest.Wrapper{tokens.Require()}
			s := start(t, tc.registry)
			ref := fill(t, s, 1, 0)[0]
			o := trusting(t)
			if tc.insecure {
				o.Insecure = []string{s.Host(), service.Host()}
			}
			logins := map[string]string{s.Host(): plantedUser + ":" + plantedPassword, service.Host(): plantedUser + ":" + plantedPassword}
			o.AuthFile = login(t, logins)
			image, err := resolve(t, client(t, o), ref)
			want := outcome{platforms: "linux/amd64 linux/arm64"}
			if tc.kind != nil {
				want = outcome{kind: tc.kind}
				if tc.kind == registry.ErrDenied {
					want.status, want.says = http.StatusUnauthorized, []string{"not sent: the registry is insecure; --allow-insecure-credentials sends them"}
				}
			}
			want.check(t, tc.reason, ref, image, err)
			if diff := cmp.Diff(tc.want, service.Credentials()); diff != "" {
				t.Errorf("%s\ncredentials at the token service (-want +got):\n%s", tc.reason, diff)
			}
			for _, seen := range s.Credentials() {
				if seen == proof {
					t.Errorf("%s\nthe registry got the password that was for its token service", tc.reason)
				}
			}
		})
	}
}
