package registry_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// credentialRows are the places where logins come from.
func credentialRows() []matrixRow {
	right := outcome{platforms: appFound}
	proof := plantedUser + ":" + plantedPassword
	users := registrytest.Users{plantedUser: plantedPassword}
	private := fault(registrytest.Basic(users))
	// logins is an auth file; %s is the registry.
	logins := func(content map[string]any) func(*world) {
		return func(w *world) { w.options.AuthFile = authFile(w.T, named(content, w.registry.Host())) }
	}
	var runs string // of the credential helper
	return []matrixRow{
		{
			row: "credential helper", sent: "a challenge, for 20 repositories", images: 20, wrap: private, want: right, requests: exactly(21), login: "registry",
			client: func(w *world) {
				logins(map[string]any{"credHelpers": map[string]any{"%s": "matrix"}})(w)
				dir := w.TempDir()
				runs = filepath.Join(dir, "runs")
				helper(w, dir, "docker-credential-matrix", runs)
				w.options.Env = only("PATH", dir)
			},
			also: func(w *world, _ []registry.Result) {
				if got, _ := os.ReadFile(runs); string(got) != "run\n" {
					w.Errorf("want one run of the helper, got %q", got)
				}
			},
		},
		{
			row: "helper missing", variant: "public", sent: "an image for anybody", want: right, requests: exactly(1),
			client: logins(map[string]any{"credHelpers": map[string]any{"%s": "gone"}}),
		},
		{
			row: "helper missing", variant: "private", sent: "a challenge", wrap: private, requests: exactly(1),
			client: logins(map[string]any{"credHelpers": map[string]any{"%s": "gone"}}),
			want:   outcome{kind: registry.ErrDenied, status: 401, says: []string{"docker-credential-gone is not in the PATH"}},
		},
		{
			row: "broken config.json", variant: "private", sent: "a challenge", wrap: private, requests: exactly(1),
			client: brokenFile, want: outcome{kind: registry.ErrCredentials, says: []string{"config.json is broken", "at byte"}},
		},
		{row: "broken config.json", variant: "public", sent: "an image for anybody", client: brokenFile, want: right, requests: exactly(1)},
		{
			row: "auth file order", variant: "REGISTRY_AUTH_FILE", sent: "a challenge", wrap: private, want: right, requests: exactly(2), login: "registry",
			client: func(w *world) { files(w, "REGISTRY_AUTH_FILE") },
		},
		{
			row: "auth file order", variant: "XDG_RUNTIME_DIR", sent: "a challenge", wrap: private, want: right, requests: exactly(2), login: "registry",
			client: func(w *world) { files(w, "XDG_RUNTIME_DIR") },
		},
		{
			row: "auth file order", variant: "DOCKER_CONFIG", sent: "a challenge", wrap: private, want: right, requests: exactly(2), login: "registry",
			client: func(w *world) { files(w, "DOCKER_CONFIG") },
		},
		{
			row:      "path-scoped keys",
			variant:  "namespace",
			sent:     "a challenge that only the namespace's login meets",
			wrap:     private,
			want:     right,
			requests: exactly(2),
			login:    "registry",
			client:   keys(proof, "%s/org"),
		},
		{
			row:      "path-scoped keys",
			variant:  "repository",
			sent:     "a challenge that only the repository's login meets",
			wrap:     private,
			want:     right,
			requests: exactly(2),
			login:    "registry",
			client:   keys(proof, "%s/org/app"),
		},
		{
			row:      "docker.io key",
			variant:  "podman",
			sent:     "Docker Hub's challenge",
			ask:      []string{"org/app:1"},
			wrap:     private,
			want:     right,
			requests: exactly(2),
			login:    "registry",
			client:   hub(proof, "docker.io"),
		},
		{
			row:      "docker.io key",
			variant:  "docker",
			sent:     "Docker Hub's challenge",
			ask:      []string{"docker.io/org/app:1"},
			wrap:     private,
			want:     right,
			requests: exactly(2),
			login:    "registry",
			client:   hub(proof, "https://index.docker.io/v1/"),
		},
		{
			row: "glob keys", sent: "a challenge, and a pull secret for 127.0.*.1", wrap: private, want: right, requests: exactly(2), login: "registry",
			client: func(w *world) {
				_, port, _ := strings.Cut(w.registry.Host(), ":")
				w.options.Credentials = []credential.Credential{{Match: "127.0.*.1:" + port, Username: plantedUser, Password: plantedPassword, Source: "Secret pull"}}
				w.options.AuthFile = login(w.T, map[string]string{"other.example.com": "x:y"})
			},
		},
		{
			row: "identity token, token service fails once", sent: "503 to the first question for a token",
			wrap: func(*world) []registrytest.Wrapper {
				tokens := &registrytest.Tokens{Service: "r", IdentityToken: plantedIdentity, Users: users}
				return []registrytest.Wrapper{registrytest.On(registrytest.Token, registrytest.First(1, registrytest.Reply(503, nil))), tokens.Require()}
			},
			client: logins(map[string]any{"auths": map[string]any{"%s": map[string]string{"identitytoken": plantedIdentity}}}),
			want:   right, requests: exactly(4),
		},
	}
}

// named puts the host into the keys of an auth file.
func named(content map[string]any, host string) map[string]any {
	out := map[string]any{}
	for key, value := range content {
		if inner, ok := value.(map[string]any); ok {
			value = named(inner, host)
		}
		out[strings.ReplaceAll(key, "%s", host)] = value
	}
	return out
}

// helper writes a credential helper that notes its runs.
func helper(w *world, dir, name, runs string) {
	w.Helper()
	script := fmt.Sprintf("#!/bin/sh\necho run >> %s\necho '{\"ServerURL\":\"x\",\"Username\":%q,\"Secret\":%q}'\n", runs, plantedUser, plantedPassword)
	// A program that is open for writing in a fork cannot be run (ETXTBSY).
	syscall.ForkLock.RLock()
	err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		w.Fatal(err)
	}
}

func write(w *world, text string, parts ...string) string {
	w.Helper()
	name := filepath.Join(parts...)
	filetest.File(w, name, text)
	return name
}

func brokenFile(w *world) {
	dir := w.TempDir()
	write(w, `{"auths":{"`+w.registry.Host()+`":{"auth":`+plantedPassword+`}}}`, dir, "config.json")
	w.options.AuthFile, w.options.Env = "", only("DOCKER_CONFIG", dir)
}

// files writes an auth file at each of the places in podman's order, the right
// login at one, and wrong ones at those that come after it.
func files(w *world, right string) {
	dir := w.TempDir()
	auth := func(proof string) string {
		return `{"auths":{"` + w.registry.Host() + `":{"auth":"` + base64.StdEncoding.EncodeToString([]byte(proof)) + `"}}}`
	}
	places := []struct{ variable, value, file string }{
		{"REGISTRY_AUTH_FILE", filepath.Join(dir, "named.json"), filepath.Join(dir, "named.json")},
		{"XDG_RUNTIME_DIR", filepath.Join(dir, "run"), filepath.Join(dir, "run", "containers", "auth.json")},
		{"XDG_CONFIG_HOME", filepath.Join(dir, "config"), filepath.Join(dir, "config", "containers", "auth.json")},
		{"DOCKER_CONFIG", filepath.Join(dir, "docker"), filepath.Join(dir, "docker", "config.json")},
	}
	env := map[string]string{}
	for _, p := range places {
		switch {
		case p.variable == right:
			write(w, auth(plantedUser+":"+plantedPassword), p.file)
		case len(env) > 0:
			write(w, auth("wrong:wrong"), p.file)
		default:
			continue // before the right one there is none
		}
		env[p.variable] = p.value
	}
	w.options.AuthFile, w.options.Env = "", func(key string) string { return env[key] }
}

// keys is an auth file with the right login under one key, and wrong ones for
// the host and beside it.
func keys(proof, key string) func(*world) {
	return func(w *world) {
		host := w.registry.Host()
		w.options.AuthFile = login(w.T, map[string]string{
			host: "host:wrong", host + "/organic": "organic:wrong", host + "/org/app/sub": "sub:wrong", host + "/other": "other:wrong",
			strings.ReplaceAll(key, "%s", host): proof,
		})
	}
}

// hub has the registry answer for Docker Hub, for which there is a login.
func hub(proof, key string) func(*world) {
	return func(w *world) {
		behindProxy(w, "docker.io", "registry-1.docker.io")
		w.options.AuthFile = login(w.T, map[string]string{key: proof})
	}
}
