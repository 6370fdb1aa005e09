package registry

import (
	"context"
	"net/http"
	"net/url"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// sendAnonymously meets the challenge of another host that a redirect leads to. That
// host gets no credentials: the user did not choose it.
func (s *session) sendAnonymously(ctx context.Context, r transport.Request, challenged *transport.Response) (*transport.Response, error) {
	c, ok := challengeOf(challenged.Header)
	if !ok || c.scheme != "bearer" {
		return nil, s.refusal(ctx, challenged)
	}
	token, err := s.endpoint.exchange(ctx, exchange{challenge: c, scope: c.scope, from: challenged.URL, who: credential.Credential{}})
	if err != nil {
		return nil, err
	}
	r.URL = challenged.URL
	resp, err := s.endpoint.send(ctx, r, "Bearer "+token)
	if err == nil && resp.Status != http.StatusOK {
		err = s.refusal(ctx, resp)
	}
	return resp, err
}

// elsewhere reports whether an answer came from another host than the request named.
func elsewhere(asked *url.URL, resp *transport.Response) bool {
	return asked.Host != resp.URL.Host && transport.Origin(asked) != transport.Origin(resp.URL)
}
