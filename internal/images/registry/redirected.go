package registry

import (
	"context"
	"net/http"
	"net/url"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// anonymouslyElsewhere meets the challenge of another host that a request was
// redirected to. That host gets no credentials: it was not the user who chose
// it.
func (e *endpoint) anonymouslyElsewhere(ctx context.Context, repository string, resp *transport.Response, accept string, limit int64) (*transport.Response, error) {
	s := e.session(repository)
	c, ok := challengeOf(resp.Header)
	if !ok || c.scheme != "bearer" {
		return nil, s.refusal(ctx, resp)
	}
	t, err := e.exchange(ctx, exchange{challenge: c, scope: c.scope, from: resp.URL, who: credential.Credential{}})
	if err != nil {
		return nil, err
	}
	again, err := e.send(ctx, resp.URL, accept, "Bearer "+t, limit)
	if err != nil {
		return nil, err
	}
	if again.Status != http.StatusOK {
		return nil, s.refusal(ctx, again)
	}
	return again, nil
}

// elsewhere reports whether an answer came from another host than was asked.
func elsewhere(asked *url.URL, resp *transport.Response) bool {
	return asked.Host != resp.URL.Host && transport.Origin(asked) != transport.Origin(resp.URL)
}
