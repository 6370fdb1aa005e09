package registry

import (
	"context"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/credential"
)

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
