package registry_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestLoginThatIsNotSent: what was not sent was not refused, and to log in again
// as before changes nothing.
func TestLoginThatIsNotSent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		login  map[string]string
		plain  bool
		says   string
		not    []string
	}{
		"IdentityToken": {
			reason: "Only a token service takes an identity token.",
			login:  map[string]string{"identitytoken": plantedIdentity},
			says:   "were not sent: the registry requires Basic authentication, which accepts no identity token",
			not:    []string{"it refuses the credentials", "podman login"},
		},
		"RegistryToken": {
			reason: "A registry token is for Bearer.",
			login:  map[string]string{"registrytoken": plantedIdentity},
			says:   "were not sent: the registry requires Basic authentication, which accepts no registry token",
			not:    []string{"it refuses the credentials", "podman login"},
		},
		"NoUser": {
			reason: "Basic is a user and a password.",
			login:  map[string]string{"password": plantedPassword},
			says:   "were not sent: they have no user name",
			not:    []string{"it refuses the credentials", "podman login"},
		},
		"Insecure": {
			reason: "The flag is named that sends them.", plain: true,
			login: map[string]string{"username": plantedUser, "password": plantedPassword},
			says:  "were not sent: the registry is insecure; --allow-insecure-credentials sends them",
			not:   []string{"it refuses the credentials", "podman login"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, registrytest.Options{PlainHTTP: tc.plain, Wrappers: []registrytest.Wrapper{registrytest.Basic(nil)}})
			ref := fill(t, s, 1, 0)[0]
			o := trusting(t)
			o.AuthFile = authFile(t, map[string]any{"auths": map[string]any{s.Host(): tc.login}})
			if tc.plain {
				o.Insecure = []string{s.Host()}
			}
			image, err := resolve(t, client(t, o), ref)
			outcome{kind: registry.ErrDenied, status: http.StatusUnauthorized, says: []string{tc.says, "auth.json"}}.
				check(t, tc.reason, ref, image, err)
			for _, text := range tc.not {
				if strings.Contains(err.Error(), text) {
					t.Errorf("%s\nthe error must not hold %q: %v", tc.reason, text, err)
				}
			}
			if sent := s.Credentials(); len(sent) > 0 {
				t.Errorf("%s\nwant nothing sent, got %d logins", tc.reason, len(sent))
			}
		})
	}
}
