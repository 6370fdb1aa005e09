package registry_test

import (
	"net/http"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

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
	users := registrytest.Users{plantedUser: plantedPassword}
	basic := registrytest.Basic(users)
	cases := map[string]struct {
		reason string
		kind   registrytest.Kind
		other  registrytest.Options
		want   outcome
	}{
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
