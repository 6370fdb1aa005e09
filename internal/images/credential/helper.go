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

// helper runs docker-credential-NAME get. Its output is never repeated in the
// error: it may be the secret.
func (k *Keyring) helper(ctx context.Context, q question) (Credential, error) {
	name := program(q.helper)
	if strings.ContainsAny(q.helper, `/\`) {
		return Credential{}, fmt.Errorf("credential helper %q: a name is expected, not a path", q.helper)
	}
	path, err := k.find(name)
	if err != nil {
		return Credential{}, fmt.Errorf("credential helper %s is not in the PATH", name)
	}
	cmd := exec.CommandContext(ctx, path, "get")
	cmd.Stdin = strings.NewReader(q.server)
	cmd.WaitDelay = time.Second
	killWhole(cmd)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		if strings.TrimSpace(out.String()) == notFound {
			return Credential{}, nil
		}
		if ctx.Err() != nil {
			return Credential{}, fmt.Errorf("credential helper %s gave no answer within %s; try: echo %s | %s get", name, helperTimeout, q.server, name)
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
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", errors.New("not found")
}
