package registry_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestTokenService asks for an image whose token service misbehaves.
func TestTokenService(t *testing.T) {
	t.Parallel()
	json := func(body string) registrytest.Wrapper {
		return registrytest.ReplyBody(http.StatusOK, "application/json", []byte(body), nil)
	}
	cases := map[string]struct {
		reason string
		fault  registrytest.Wrapper
		want   outcome
		tokens int // requests for one
	}{
		"503Once": {
			reason: "It is tried again like all else.",
			fault:  registrytest.First(1, registrytest.Reply(http.StatusServiceUnavailable, nil)),
			want:   outcome{platforms: "linux/amd64 linux/arm64"}, tokens: 2,
		},
		"500Once": {
			reason: "At 500 too.",
			fault:  registrytest.First(1, registrytest.Reply(http.StatusInternalServerError, nil)),
			want:   outcome{platforms: "linux/amd64 linux/arm64"}, tokens: 2,
		},
		"429Once": {
			reason: "And when it is busy.",
			fault:  registrytest.First(1, registrytest.Reply(http.StatusTooManyRequests, registrytest.RetryAfter(1))),
			want:   outcome{platforms: "linux/amd64 linux/arm64"}, tokens: 2,
		},
		"500ForEver": {
			reason: "The error keeps the status and the words, and names the service.",
			fault:  registrytest.Reply(http.StatusInternalServerError, nil),
			want:   outcome{kind: registry.ErrServer, status: 500, says: []string{"token service", "500", "UNKNOWN: Internal Server Error"}}, tokens: 2,
		},
		"503ForEver": {
			reason: "Also where it seems overloaded.",
			fault:  registrytest.Reply(http.StatusServiceUnavailable, nil),
			want:   outcome{kind: registry.ErrServer, status: 503, says: []string{"token service", "503", "UNKNOWN: Service Unavailable"}}, tokens: 2,
		},
		"403": {
			reason: "A refusal is an answer. The second request, for no repository, tells whether it was about the login.",
			fault:  registrytest.Reply(http.StatusForbidden, nil),
			want:   outcome{kind: registry.ErrDenied, status: 403, says: []string{"token service", "DENIED"}}, tokens: 2,
		},
		"Page": {
			reason: "A captive portal is no token service.", fault: registrytest.HTMLPage(),
			want: outcome{kind: registry.ErrContent, says: []string{"without a token", "web page"}}, tokens: 1,
		},
		"Empty": {
			reason: "Nothing is no token.", fault: json(""),
			want: outcome{kind: registry.ErrContent, says: []string{"without a token"}}, tokens: 1,
		},
		"NoToken": {
			reason: "An object without a token is none.", fault: json(`{"expires_in":300}`),
			want: outcome{kind: registry.ErrContent, says: []string{"without a token"}}, tokens: 1,
		},
		"WrongType": {
			reason: "A number is no token, and the error speaks JSON, not Go.", fault: json(`{"token":17}`),
			want: outcome{kind: registry.ErrContent, says: []string{"without a token"}}, tokens: 1,
		},
		"NotPrintable": {
			reason: "A token with a line break would be a header of its own.", fault: json(`{"token":"a\nX-Evil: 1"}`),
			want: outcome{kind: registry.ErrContent, says: []string{"without a token"}}, tokens: 1,
		},
		"TooLarge": {
			reason: "2 MiB are no token.", fault: json(`{"token":"` + strings.Repeat("a", 2<<20) + `"}`),
			want: outcome{kind: registry.ErrContent, says: []string{"too large"}}, tokens: 1,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			users := registrytest.Users{plantedUser: plantedPassword}
			tokens := &registrytest.Tokens{Service: "r", Users: users}
			s := with(t, registrytest.On(registrytest.Token, tc.fault), tokens.Require())
			ref := fill(t, s, 1, 0)[0]
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{s.Host(): plantedUser + ":" + plantedPassword})
			image, err := resolve(t, client(t, o), ref)
			tc.want.check(t, tc.reason, ref, image, err)
			if err != nil && strings.Contains(err.Error(), "Go ") {
				t.Errorf("%s\nthe error names types of Go: %v", tc.reason, err)
			}
			if got := s.Counts().Token; got != tc.tokens {
				t.Errorf("%s\nwant %d requests for a token, got %d", tc.reason, tc.tokens, got)
			}
		})
	}
}

// TestIdentityTokenIsPostedAgain fails the first POST: the second must have
// the whole body again.
func TestIdentityTokenIsPostedAgain(t *testing.T) {
	t.Parallel()
	tokens := &registrytest.Tokens{Service: "r", IdentityToken: plantedIdentity, AccessTokenOnly: true, Users: registrytest.Users{"x": "y"}}
	service := with(t, registrytest.First(1, registrytest.Reset()), tokens.Serve())
	tokens.Realm = service.URL() + registrytest.TokenPath
	s := with(t, tokens.Require())
	o := trusting(t)
	o.AuthFile = authFile(t, map[string]any{"auths": map[string]any{s.Host(): map[string]string{"identitytoken": plantedIdentity}}})
	if errs := failures(t, client(t, o), fill(t, s, 10, 2)); len(errs) > 0 {
		t.Fatal(errs[0])
	}
	if diff := cmp.Diff(registrytest.Counts{Token: 11}, service.Counts()); diff != "" {
		t.Errorf("a token for each repository and one again (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(registrytest.Counts{Manifest: 11, Blob: 2}, s.Counts()); diff != "" {
		t.Errorf("one challenge (-want +got):\n%s", diff)
	}
	if got := service.Connections(); got > 2 {
		t.Errorf("HTTP/2 takes one connection, got %d", got)
	}
}

// TestTokensThatEndAreFetchedAnew revokes all tokens between two questions.
func TestTokensThatEndAreFetchedAnew(t *testing.T) {
	t.Parallel()
	tokens := &registrytest.Tokens{Service: "r"}
	s := with(t, tokens.Require())
	refs := fill(t, s, 10, 5)
	c := client(t, trusting(t))
	for range 2 {
		if errs := failures(t, c, refs); len(errs) > 0 {
			t.Fatal(errs[0])
		}
		tokens.Revoke()
	}
	if got := s.Counts().Token; got != 20 {
		t.Errorf("want two tokens for each repository, got %d for 10", got)
	}
}
