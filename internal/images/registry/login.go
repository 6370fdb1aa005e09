package registry

import (
	"context"
	"net/http"
	"strings"
	"sync"

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
			if v = e.loginVerdict(ctx, resp, proof); v == wrong {
				return wrong, s.refusal(ctx, resp)
			}
			return v, nil
		})
		err = withNotes(err, user.who)
	}
	if err == nil && !e.sent(resp) && resp.Status == http.StatusUnauthorized {
		return s.sendAnonymously(ctx, r, resp)
	}
	return resp, err
}

// loginVerdict returns what an answer says about the login that the client sent. 401
// and 403 may be about the repository alone. Then the login is valid if /v2/ accepts
// it, and does not accept a request without one.
func (e *endpoint) loginVerdict(ctx context.Context, resp *transport.Response, proof string) verdict {
	if !e.sent(resp) || !refuses(resp) {
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

// unclearLimit is how many answers without a verdict end the waiting. If a token
// service is down, images must not wait for each other.
const unclearLimit = 3

// loginCheck is what a registry says about a login. A wrong password for 200 images
// locks the user out. So one request at a time carries a login until the login works,
// and no request carries it after a refusal. A request without an answer delays the
// others for a third of RequestTimeout.
type loginCheck struct {
	gate *gate

	mu      sync.Mutex
	worked  bool
	refused error
	unclear int
}

// verdict is what an answer says about a login.
type verdict int

const (
	unclear verdict = iota
	right
	wrong
)

// loginCheck returns the one check of a login. The same login from another source has
// the same check.
func (e *endpoint) loginCheck(who credential.Credential) *loginCheck {
	who.Source = ""
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.logins[who]
	if t == nil {
		t = &loginCheck{gate: newGate(e.client.options.RequestTimeout/hastyShare, 0)}
		e.logins[who] = t
	}
	return t
}

// try calls send when it may use the login. It returns the error of send, or of the
// earlier request if the registry refused the login before. send calls worked as soon
// as it knows that the login works, and returns the verdict of the answer.
func (c *loginCheck) try(ctx context.Context, send func(worked func()) (verdict, error)) error {
	open, leave, err := c.gate.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := c.refusal(); err != nil {
		return err
	}
	v, err := send(func() {
		c.judge(right, nil)
		open()
	})
	// A canceled request has no verdict.
	if ctx.Err() == nil && c.judge(v, err) {
		open()
	}
	return err
}

func (c *loginCheck) refusal() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused
}

// judge stores a verdict, and with wrong also the error for all others. It reports
// whether the others can stop waiting. A login that worked is valid: a later refusal is
// about the repository.
func (c *loginCheck) judge(v verdict, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case v == right:
		c.worked = true
	case v == wrong && !c.worked:
		c.refused = err
	case v == unclear:
		c.unclear++
	}
	return c.worked || c.refused != nil || c.unclear >= unclearLimit
}
