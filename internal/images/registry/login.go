package registry

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// own is a proof that is the user's own, and not a token that a service gave.
type userProof struct {
	proof string
	who   credential.Found
}

// send asks with a proof. One that is the user's own is tried with care; headed
// is as in sendHeaded.
func (s *session) send(ctx context.Context, u *url.URL, accept, proof string, limit int64, headed func()) (*transport.Response, error) {
	e := s.endpoint
	user := s.userProof.Load()
	if user == nil || user.proof != proof || proof == "" {
		return e.sendHeaded(ctx, u, accept, proof, limit, headed)
	}
	var resp *transport.Response
	err := e.loginCheck(user.who.Credential).try(ctx, func(worked func()) (v verdict, err error) {
		resp, err = e.sendHeaded(ctx, u, accept, proof, limit, func() {
			worked()
			if headed != nil {
				headed()
			}
		})
		if err != nil {
			return unclear, err
		}
		if v = e.loginVerdict(ctx, u, resp, proof); v == wrong {
			return wrong, s.refusal(ctx, resp)
		}
		return v, nil
	})
	return resp, withNotes(err, user.who)
}

// judged is what an answer says about the login that was sent. 401 and 403 may
// be about the repository alone: then the login is good at /v2/, provided that
// /v2/ is not good without one too.
func (e *endpoint) loginVerdict(ctx context.Context, u *url.URL, resp *transport.Response, proof string) verdict {
	if elsewhere(u, resp) || resp.Status != http.StatusUnauthorized && resp.Status != http.StatusForbidden {
		return right
	}
	scheme, _, _ := strings.Cut(proof, " ")
	if c, ok := challengeOf(resp.Header); ok && !strings.EqualFold(c.scheme, scheme) {
		return unclear // this repository wants to be asked in another way
	}
	switch with, without := e.rootStatus(ctx, proof), e.rootStatus(ctx, ""); {
	case refuses(with):
		return wrong
	case with == http.StatusOK && refuses(without), resp.Status == http.StatusForbidden:
		return right
	}
	return wrong
}

func refuses(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// root returns the status of /v2/, or 0.
func (e *endpoint) rootStatus(ctx context.Context, proof string) int {
	u := &url.URL{Scheme: "https", Host: e.address, Path: "/v2/"}
	resp, err := e.send(ctx, u, "", proof, tokenLimit)
	if err != nil || elsewhere(u, resp) {
		return 0
	}
	return resp.Status
}
