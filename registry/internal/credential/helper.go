package credential

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	// helperTimeout bounds a run of a helper, which may wait for a person.
	helperTimeout = 30 * time.Second
	// notFound is how helpers say that they hold nothing
	// (docker-credential-helpers, credentials/error.go).
	notFound = "credentials not found in native keychain"
	// tokenUser is the user name beside an identity token.
	tokenUser = "<token>"
)

// question is what a helper is asked; answer is what it said, once.
type question struct{ helper, server string }

type answer struct {
	done       chan struct{}
	credential Credential
	err        error
}

// ask runs a helper, or waits for the run that is under way, or returns what
// it said before.
func (k *Keyring) ask(ctx context.Context, q question) (Credential, error) {
	k.mu.Lock()
	a, known := k.answers[q]
	if !known {
		a = &answer{done: make(chan struct{})}
		if k.answers == nil {
			k.answers = map[question]*answer{}
		}
		k.answers[q] = a
		// Not in the context of who asks first: the others wait for it too.
		go k.run(context.WithoutCancel(ctx), q, a)
	}
	k.mu.Unlock()
	select {
	case <-a.done:
		return a.credential, a.err
	case <-ctx.Done():
		return Credential{}, context.Cause(ctx)
	}
}

func (k *Keyring) run(ctx context.Context, q question, a *answer) {
	defer close(a.done)
	ctx, cancel := context.WithTimeout(ctx, helperTimeout)
	defer cancel()
	a.credential, a.err = k.helper(ctx, q)
	a.credential.Source = "docker-credential-" + q.helper
}

// helper runs docker-credential-NAME get. Its output is never repeated in the
// error: it may be the secret.
func (k *Keyring) helper(ctx context.Context, q question) (Credential, error) {
	name := "docker-credential-" + q.helper
	if strings.ContainsAny(q.helper, `/\`) {
		return Credential{}, fmt.Errorf("credential helper %q: a name is expected, not a path", q.helper)
	}
	program, err := k.find(name)
	if err != nil {
		return Credential{}, fmt.Errorf("credential helper %s is not in the PATH", name)
	}
	cmd := exec.CommandContext(ctx, program, "get")
	cmd.Stdin = strings.NewReader(q.server)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		if strings.TrimSpace(out.String()) == notFound {
			return Credential{}, nil
		}
		return Credential{}, fmt.Errorf("credential helper %s failed (%w); try: echo %s | %s get", name, err, q.server, name)
	}
	var said struct {
		Username string `json:"Username"`
		Secret   string `json:"Secret"`
	}
	if err := json.Unmarshal(out.Bytes(), &said); err != nil {
		return Credential{}, fmt.Errorf("credential helper %s did not answer with JSON", name)
	}
	if said.Username == tokenUser {
		return Credential{IdentityToken: said.Secret}, nil
	}
	return Credential{Username: said.Username, Password: said.Secret}, nil
}

// find looks for a program in the PATH of the Keyring's environment.
func (k *Keyring) find(name string) (string, error) {
	for _, dir := range filepath.SplitList(k.Env("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if program, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return program, nil
		}
	}
	return "", errors.New("not found")
}
