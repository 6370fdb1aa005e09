package credential

import (
	"context"
	"fmt"
)

// question is what a helper is asked; answer is what it said, once.
type question struct{ helper, server string }

type answer struct {
	done       chan struct{}
	credential Credential
	err        error
	// stop ends the run, when nobody waits for it any more.
	stop    context.CancelFunc
	waiting int
}

// WaitError is a credential helper that did not answer as long as there was
// time.
type WaitError struct {
	Helper string
	// Server is what it was asked for.
	Server string
	// Err is the context's.
	Err error
}

// Error implements error.
func (e *WaitError) Error() string {
	return fmt.Sprintf("the credential helper %s was waited for and gave no answer: %v", e.Helper, e.Err)
}

// Unwrap returns the context's error.
func (e *WaitError) Unwrap() error { return e.Err }

// ask runs a helper, or waits for the run that is under way, or returns what
// it said before. A helper that nobody waits for any more is killed, and gone
// before ask returns: the program may end right after that.
func (k *Keyring) ask(ctx context.Context, q question) (Credential, error) {
	a := k.begin(ctx, q)
	select {
	case <-a.done:
	case <-ctx.Done():
	}
	answered, last := k.leave(q, a)
	if answered {
		return a.credential, a.err
	}
	if last {
		a.stop()
		<-a.done
	}
	return Credential{}, &WaitError{Helper: programName(q.helper), Server: q.server, Err: context.Cause(ctx)}
}

// begin returns the run of a helper, which the caller leaves in the end.
func (k *Keyring) begin(ctx context.Context, q question) *answer {
	k.mu.Lock()
	defer k.mu.Unlock()
	a := k.answers[q]
	if a == nil {
		a = &answer{done: make(chan struct{})}
		if k.answers == nil {
			k.answers = map[question]*answer{}
		}
		k.answers[q] = a
		// Not in the context of who asks first: the others wait for it too.
		ctx, a.stop = context.WithTimeout(context.WithoutCancel(ctx), helperTimeout)
		go k.run(ctx, q, a)
	}
	a.waiting++
	return a
}

// leave reports whether the answer has come, and whether nobody waits for it
// any more. Then it is forgotten: it would be that the helper was killed.
func (k *Keyring) leave(q question, a *answer) (answered, last bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	a.waiting--
	select {
	case <-a.done:
		return true, false
	default:
	}
	if a.waiting == 0 && k.answers[q] == a {
		delete(k.answers, q)
	}
	return false, a.waiting == 0
}

func (k *Keyring) run(ctx context.Context, q question, a *answer) {
	defer close(a.done)
	defer a.stop()
	a.credential, a.err = k.helper(ctx, q)
	a.credential.Source = programName(q.helper)
}

// programName is the name of a helper's program.
func programName(helper string) string { return "docker-credential-" + helper }
