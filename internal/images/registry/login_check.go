package registry

import (
	"context"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/credential"
)

// unclearLimit is how many answers that judge nothing end the waiting: a token
// service that is down must not make all images wait for each other.
const unclearLimit = 3

// loginCheck is what a registry thinks of a login. A wrong password that is sent for
// 200 images locks the user out: so one request at a time carries a login until
// it has worked, and none once it was refused. A request without an answer holds
// the others up for a third of RequestTimeout.
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

// loginCheck returns the one check of a login. The same login from another source
// is the same.
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

// try lets send use the login when it may be used. The error is that of send,
// or, where the login was refused before, the one with which it was. send calls
// worked as soon as it knows, and returns the verdict of the answer.
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
	// Who was stopped has learned nothing.
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

// judge keeps a verdict, and with wrong the error for all others. It reports
// whether nobody needs to wait any more. A login that has worked is right: a
// refusal after that is about the repository.
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
