package registry_test

import (
	"net/http"
	"testing"

	"github.com/goldenarch/goldenarch/registry"
	"github.com/goldenarch/goldenarch/registry/registrytest"
)

// TestRedirectsEnd follows redirects that lead nowhere.
func TestRedirectsEnd(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{plantedUser: plantedPassword}
	cases := map[string]struct {
		reason string
		kind   registrytest.Kind
		auth   registrytest.Wrapper
		asked  func(registrytest.Counts) int
	}{
		"Manifest": {
			reason: "A manifest that redirects to itself.", kind: registrytest.Manifest,
			asked: func(c registrytest.Counts) int { return c.Manifest },
		},
		"Config": {
			reason: "A config that redirects to itself.", kind: registrytest.Blob,
			asked: func(c registrytest.Counts) int { return c.Blob },
		},
		"Token": {
			reason: "A token service that redirects to itself.", kind: registrytest.Token,
			auth:  (&registrytest.Tokens{Users: users}).Require(),
			asked: func(c registrytest.Counts) int { return c.Token },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrappers := []registrytest.Wrapper{registrytest.On(tc.kind, registrytest.RedirectLoop())}
			if tc.auth != nil {
				wrappers = append(wrappers, tc.auth)
			}
			s := with(t, wrappers...)
			ref := fill(t, s, 1, 1)[0]
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{s.Host(): plantedUser + ":" + plantedPassword})
			image, err := resolve(t, client(t, o), ref)
			outcome{kind: registry.ErrUnreachable, says: []string{"more than 10 redirects"}}.
				check(t, tc.reason, ref, image, err)
			if got := tc.asked(s.Counts()); got > 11 {
				t.Errorf("%s\nit was followed %d times", tc.reason, got)
			}
		})
	}
}

// TestRedirectBetweenTwoHostsEnds plays ball.
func TestRedirectBetweenTwoHostsEnds(t *testing.T) {
	t.Parallel()
	var other *registrytest.Server
	s := with(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			registrytest.Redirect(other.URL(), "")(next).ServeHTTP(rw, r)
		})
	})
	other = with(t, registrytest.Redirect(s.URL(), ""))
	ref := fill(t, s, 1, 0)[0]
	image, err := resolve(t, client(t, trusting(t)), ref)
	outcome{kind: registry.ErrUnreachable, says: []string{"redirects"}}.
		check(t, "Two hosts that point at each other.", ref, image, err)
	if got := s.Counts().Total() + other.Counts().Total(); got > 11 {
		t.Errorf("it was followed %d times", got)
	}
}

// TestRedirectsKeepCredentials sends what a registry is asked for to another
// host, which must never see a credential.
func TestRedirectsKeepCredentials(t *testing.T) {
	t.Parallel()
	const both = "linux/arm64"
	users := registrytest.Users{plantedUser: plantedPassword}
	basic := registrytest.Basic(users)
	denied := registrytest.ReplyBody(http.StatusForbidden, "application/xml",
		[]byte("<Error>https://store/x?sig="+plantedSignature+" has expired</Error>"), nil)
	cases := map[string]struct {
		reason string
		kind   registrytest.Kind
		other  registrytest.Options
		want   outcome
	}{
		"Manifest": {
			reason: "Manifests of another host.", kind: registrytest.Manifest, want: outcome{platforms: both},
		},
		"Blob": {
			reason: "Blobs of a store.", kind: registrytest.Blob, want: outcome{platforms: both},
		},
		"WantsBasic": {
			reason: "A host that was not meant gets no password, and the error names it.", kind: registrytest.Manifest,
			other: registrytest.Options{Wrappers: []registrytest.Wrapper{basic}},
			want:  outcome{kind: registry.ErrDenied, status: 401, says: []string{"redirected to"}},
		},
		"Expired": {
			reason: "A store that says no, with the signature in its words.", kind: registrytest.Blob,
			other: registrytest.Options{Wrappers: []registrytest.Wrapper{denied}},
			want:  outcome{kind: registry.ErrDenied, status: 403, says: []string{"redirected to", "expired"}},
		},
		"Plain": {
			reason: "A redirect away from TLS is not followed.", kind: registrytest.Blob,
			other: registrytest.Options{PlainHTTP: true},
			want:  outcome{kind: registry.ErrUnreachable, says: []string{"plain HTTP"}},
		},
		"Silent": {
			reason: "A store that resets says which host it was.", kind: registrytest.Blob,
			other: registrytest.Options{Wrappers: []registrytest.Wrapper{registrytest.Reset()}},
			want:  outcome{kind: registry.ErrUnreachable},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := start(t, tc.other)
			redirect := registrytest.Redirect(other.URL(), "X-Signature="+plantedSignature)
			s := with(t, basic, registrytest.On(tc.kind, redirect))
			ref := fill(t, s, 1, 1)[0]
			fill(t, other, 1, 1)
			o := trusting(t)
			logins := map[string]string{s.Host(): plantedUser + ":" + plantedPassword}
			o.AuthFile = login(t, logins)
			image, err := resolve(t, client(t, o), ref)
			if tc.want.kind != nil {
				tc.want.says = append(tc.want.says, other.Host())
			}
			tc.want.check(t, tc.reason, ref, image, err)
			if got := other.Credentials(); len(got) > 0 {
				t.Errorf("%s\nthe other host got %q", tc.reason, got)
			}
		})
	}
}
