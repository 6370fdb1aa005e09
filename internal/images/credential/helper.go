package credential

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/docker/docker-credential-helpers/client"
	"github.com/docker/docker-credential-helpers/credentials"
)

const (
	// helperTimeout limits the run time of a helper, which may wait for user input.
	helperTimeout = 30 * time.Second
	// tokenUser is the user name that goes with an identity token.
	tokenUser = "<token>"
)

// helper runs docker-credential-NAME get. The error never repeats its output, which may be
// the secret.
func (k *Keyring) helper(ctx context.Context, q question) (Credential, error) {
	name := programName(q.helper)
	if strings.ContainsAny(q.helper, `/\`) {
		return Credential{}, fmt.Errorf("credential helper %q: a name is expected, not a path", q.helper)
	}
	path, err := k.find(name)
	if err != nil {
		return Credential{}, fmt.Errorf("credential helper %s is not in the PATH", name)
	}
	run := &program{exec.CommandContext(ctx, path, "get"), nil}
	run.WaitDelay = time.Second
	killWhole(run.Cmd)
	got, err := client.Get(func(...string) client.Program { return run }, q.server)
	switch {
	case credentials.IsErrCredentialsNotFound(err):
		return Credential{}, nil
	case run.err != nil && ctx.Err() != nil:
		return Credential{}, fmt.Errorf("credential helper %s gave no answer within %s; try: echo %s | %s get", name, helperTimeout, q.server, name)
	case run.err != nil:
		return Credential{}, fmt.Errorf("credential helper %s failed (%w); try: echo %s | %s get", name, run.err, q.server, name)
	case err != nil:
		return Credential{}, fmt.Errorf("credential helper %s did not answer with JSON", name)
	case got.Username == tokenUser:
		return Credential{IdentityToken: got.Secret}, nil
	}
	return Credential{Username: got.Username, Password: got.Secret}, nil
}

// program runs a helper for docker's client, and keeps the reason of a failure: the
// client's error repeats the helper's output.
type program struct {
	*exec.Cmd
	err error
}

// Input implements client.Program.
func (p *program) Input(in io.Reader) { p.Stdin = in }

// Output implements client.Program.
func (p *program) Output() ([]byte, error) {
	var out []byte
	out, p.err = p.Cmd.Output()
	return out, p.err
}

// find looks for a program in the PATH of the Keyring's environment.
func (k *Keyring) find(name string) (string, error) {
	for _, dir := range filepath.SplitList(k.Env("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", errors.New("not found")
}

// question is a query to a helper; answer is the helper's answer, which all callers share.
type question struct{ helper, server string }

type answer struct {
	done       chan struct{}
	credential Credential
	err        error
	// stop ends the run when no caller waits for it any more. waiting counts those that
	// did not give up.
	stop    context.CancelFunc
	waiting int
}

// WaitError is the error of a credential helper that did not answer in time.
type WaitError struct {
	Helper string
	// Server is the registry that the query was for.
	Server string
	// Err is the context's error.
	Err error
}

// Error implements error.
func (e *WaitError) Error() string {
	return fmt.Sprintf("the credential helper %s was waited for and gave no answer: %v", e.Helper, e.Err)
}

// Unwrap returns the context's error.
func (e *WaitError) Unwrap() error { return e.Err }

// ask runs a helper, waits for the run that is under way, or returns the earlier answer. If
// no caller waits for a helper any more, ask kills it and returns only when it has ended:
// the program may exit right after that.
func (k *Keyring) ask(ctx context.Context, q question) (Credential, error) {
	a := k.begin(ctx, q)
	select {
	case <-a.done:
		return a.credential, a.err
	case <-ctx.Done():
	}
	k.mu.Lock()
	a.waiting--
	last := a.waiting == 0
	if last {
		delete(k.answers, q) // the result would be that the helper was killed
	}
	k.mu.Unlock()
	if last {
		a.stop()
		<-a.done
	}
	return Credential{}, &WaitError{Helper: programName(q.helper), Server: q.server, Err: context.Cause(ctx)}
}

// begin returns the run of a helper, and counts the caller as one who waits for it.
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
		// This run does not use the first caller's context: other callers wait for it too.
		ctx, a.stop = context.WithTimeout(context.WithoutCancel(ctx), helperTimeout)
		go k.run(ctx, q, a)
	}
	a.waiting++
	return a
}

func (k *Keyring) run(ctx context.Context, q question, a *answer) {
	defer close(a.done)
	defer a.stop()
	a.credential, a.err = k.helper(ctx, q)
	a.credential.Source = programName(q.helper)
}

// programName returns the name of a helper's program.
func programName(helper string) string { return "docker-credential-" + helper }
