package registry

import (
	"context"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/credential"
)

// unclearLimit is how many answers that judge nothing end the waiting: a token
// service that is down must not make all images wait for each other.
const unclearLimit = 3

// trial is what a registry thinks of a login. A wrong password that is sent for
// 200 images locks the user out: so one request at a time carries a login until
// it has worked, and none once it was refused. A request without an answer holds
// the others up for a third of RequestTimeout.
type trial struct {
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

// trial returns the one trial of a login. The same login from another source
// is the same.
func (e *endpoint) trial(who credential.Credential) *trial {
	who.Source = ""
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.trials[who]
	if t == nil {
		t = &trial{gate: newGate(e.client.options.RequestTimeout/hastyShare, 0)}
		e.trials[who] = t
	}
	return t
}

// try lets send use the login when it may be used. The error is that of send,
// or, where the login was refused before, the one with which it was. send calls
// worked as soon as it knows, and returns the verdict of the answer.
func (t *trial) try(ctx context.Context, send func(worked func()) (verdict, error)) error {
	open, leave, err := t.gate.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := t.refusal(); err != nil {
		return err
	}
	v, err := send(func() {
		t.judge(right, nil)
		open()
	})
	// Who was stopped has learned nothing.
	if ctx.Err() == nil && t.judge(v, err) {
		open()
	}
	return err
}

func (t *trial) refusal() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.refused
}

// judge keeps a verdict, and with wrong the error for all others. It reports
// whether nobody needs to wait any more. A login that has worked is right: a
// refusal after that is about the repository.
func (t *trial) judge(v verdict, err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case v == right:
		t.worked = true
	case v == wrong && !t.worked:
		t.refused = err
	case v == unclear:
		t.unclear++
	}
	return t.worked || t.refused != nil || t.unclear >= unclearLimit
}
