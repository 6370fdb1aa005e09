package registry

import (
	"context"
	"net/http"

	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// learnChallenge reads the challenge of an answer, with the missing scope. Some
// registries hide a private repository behind 403 or 404 and send no challenge. If
// there are credentials, the client then queries /v2/ once for the challenge.
func (e *endpoint) learnChallenge(ctx context.Context, repository string, resp *transport.Response, proof string) (scope string, challenged bool) {
	e.mu.Lock()
	if e.sent(resp) {
		e.scheme = resp.URL.Scheme
	}
	known := e.challenge != nil
	e.mu.Unlock()

	switch resp.Status {
	case http.StatusUnauthorized:
		if c := e.learn(resp); c != nil {
			return c.scope, true
		}
	case http.StatusForbidden, http.StatusNotFound:
		found, err := e.client.keyring.Find(ctx, e.host, repository)
		if err != nil || found.Anonymous() {
			return "", false
		}
	default:
		return "", false
	}
	if proof != "" {
		return "", false
	}
	if !known {
		e.ping(ctx)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return "", e.challenge != nil
}

// ping requests /v2/ once, which sends a challenge where a manifest does not. Its
// failure means nothing: registries also answer it with 403 and 404.
func (e *endpoint) ping(ctx context.Context) {
	open, leave, err := e.pings.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	defer open()
	e.mu.Lock()
	pinged := e.pinged
	e.pinged = true
	e.mu.Unlock()
	if pinged {
		return
	}
	if resp := e.root(ctx, ""); resp != nil && resp.Status == http.StatusUnauthorized {
		e.learn(resp)
	}
}

// learn keeps the challenge of an answer that goldenarch can meet, and returns it, or nil.
func (e *endpoint) learn(resp *transport.Response) *challenge {
	c, ok := challengeOf(resp.Header)
	if !ok {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.challenge = &c
	return &c
}
