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
