package registry

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// userProof is the user's own authorization, and not a token from a service.
type userProof struct {
	proof string
	who   credential.Found
}

// send sends a request with an authorization. The client tries the user's own
// authorization with care. If a redirect leads to another host, the client meets its
// challenge without credentials.
func (s *session) send(ctx context.Context, r transport.Request, proof string) (resp *transport.Response, err error) {
	e := s.endpoint
	user := s.userProof.Load()
	if user == nil || user.proof != proof || proof == "" {
		resp, err = e.send(ctx, r, proof)
	} else {
		err = e.loginCheck(user.who.Credential).try(ctx, func(worked func()) (v verdict, err error) {
			headed := r
			headed.Headed = func() { worked(); r.Headed() }
			if resp, err = e.send(ctx, headed, proof); err != nil {
				return unclear, err
			}
			if v = e.loginVerdict(ctx, r.URL, resp, proof); v == wrong {
				return wrong, s.refusal(ctx, resp)
			}
			return v, nil
		})
		err = withNotes(err, user.who)
	}
	if err == nil && elsewhere(r.URL, resp) && resp.Status == http.StatusUnauthorized {
		return s.sendAnonymously(ctx, r, resp)
	}
	return resp, err
}

// loginVerdict returns what an answer says about the login that the client sent. 401
// and 403 may be about the repository alone. Then the login is valid if /v2/ accepts
// it, and does not accept a request without one.
func (e *endpoint) loginVerdict(ctx context.Context, u *url.URL, resp *transport.Response, proof string) verdict {
	if elsewhere(u, resp) || !refuses(resp) {
		return right
	}
	scheme, _, _ := strings.Cut(proof, " ")
	if c, ok := challengeOf(resp.Header); ok && !strings.EqualFold(c.scheme, scheme) {
		return unclear // this repository requires another form of authentication
	}
	with, without := e.root(ctx, proof), e.root(ctx, "")
	switch {
	case refuses(with):
		return wrong
	case with != nil && with.Status == http.StatusOK && refuses(without), resp.Status == http.StatusForbidden:
		return right
	}
	return wrong
}

// refuses reports whether an answer denies access.
func refuses(resp *transport.Response) bool {
	return resp != nil && (resp.Status == http.StatusUnauthorized || resp.Status == http.StatusForbidden)
}
