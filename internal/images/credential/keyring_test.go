package credential

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func auth(user string) string {
	return fmt.Sprintf(`{"auth":%q}`, base64.StdEncoding.EncodeToString([]byte(user+":secret")))
}

// keyring writes files below a directory and returns a Keyring whose variables
// may name it as DIR.
func keyring(t *testing.T, files, env map[string]string) *Keyring {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o600)
		if strings.HasPrefix(text, "#!") {
			mode = 0o700
		}
		// A program that a fork of another test still holds open for writing
		// cannot be run (ETXTBSY).
		syscall.ForkLock.RLock()
		err := os.WriteFile(name, []byte(strings.ReplaceAll(text, "DIR", dir)), mode)
		syscall.ForkLock.RUnlock()
		if err != nil {
			t.Fatal(err)
		}
	}
	return &Keyring{UID: -1, Env: func(key string) string { return strings.ReplaceAll(env[key], "DIR", dir) }}
}

func TestFind(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason     string
		files      map[string]string
		env        map[string]string
		host, repo string
		user       string
		token      string
		notes      int
		fails      string
	}{
		"Nothing": {
			reason: "No file, nobody.", host: "quay.io", repo: "a/b",
		},
		"Docker": {
			reason: "docker's file in the home directory.",
			files:  map[string]string{".docker/config.json": `{"auths":{"quay.io":` + auth("docker") + `}}`},
			env:    map[string]string{"HOME": "DIR"}, host: "quay.io", repo: "a/b", user: "docker",
		},
		"DockerConfig": {
			reason: "DOCKER_CONFIG is a directory.",
			files:  map[string]string{"d/config.json": `{"auths":{"quay.io":` + auth("docker") + `}}`},
			env:    map[string]string{"DOCKER_CONFIG": "DIR/d"}, host: "quay.io", repo: "a/b", user: "docker",
		},
		"Order": {
			reason: "For the same key podman's runtime file, then its configuration, then docker's.",
			files: map[string]string{
				"run/containers/auth.json": `{"auths":{"quay.io":` + auth("runtime") + `}}`,
				"cfg/containers/auth.json": `{"auths":{"quay.io":` + auth("config") + `}}`,
				".docker/config.json":      `{"auths":{"quay.io":` + auth("docker") + `}}`,
			},
			env:  map[string]string{"HOME": "DIR", "XDG_RUNTIME_DIR": "DIR/run", "XDG_CONFIG_HOME": "DIR/cfg"},
			host: "quay.io", repo: "a/b", user: "runtime",
		},
		"SpecificOverFiles": {
			reason: "The most specific key wins, also in the last file.",
			files: map[string]string{
				"run/containers/auth.json": `{"auths":{"quay.io":` + auth("host") + `}}`,
				".docker/config.json":      `{"auths":{"quay.io/a":` + auth("namespace") + `}}`,
			},
			env:  map[string]string{"HOME": "DIR", "XDG_RUNTIME_DIR": "DIR/run"},
			host: "quay.io", repo: "a/b", user: "namespace",
		},
		"HomeConfig": {
			reason: "XDG_CONFIG_HOME is ~/.config where it is not set.",
			files:  map[string]string{".config/containers/auth.json": `{"auths":{"quay.io":` + auth("config") + `}}`},
			env:    map[string]string{"HOME": "DIR"}, host: "quay.io", repo: "a/b", user: "config",
		},
		"Named": {
			reason: "A file that is named is the only one.",
			files: map[string]string{
				"named.json":          `{"auths":{"quay.io":` + auth("named") + `}}`,
				".docker/config.json": `{"auths":{"quay.io/a/b":` + auth("docker") + `}}`,
			},
			env:  map[string]string{"HOME": "DIR", "REGISTRY_AUTH_FILE": "DIR/named.json"},
			host: "quay.io", repo: "a/b", user: "named",
		},
		"NamedMissing": {
			reason: "A file that is named must be there.",
			env:    map[string]string{"REGISTRY_AUTH_FILE": "DIR/gone.json"}, host: "quay.io", repo: "a/b", fails: "gone.json",
		},
		"WholeRepository": {
			reason: "The repository itself is the most specific key.",
			files:  map[string]string{"f": `{"auths":{"quay.io":` + auth("1") + `,"quay.io/a":` + auth("2") + `,"quay.io/a/b":` + auth("3") + `}}`},
			env:    map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "quay.io", repo: "a/b", user: "3",
		},
		"NotAPrefixOfAWord": {
			reason: "quay.io/a is no key for quay.io/ab.",
			files:  map[string]string{"f": `{"auths":{"quay.io/a":` + auth("1") + `}}`},
			env:    map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "quay.io", repo: "ab/c",
		},
		"OtherPort": {
			reason: "A port belongs to the name.",
			files:  map[string]string{"f": `{"auths":{"reg:5000":` + auth("1") + `}}`},
			env:    map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "reg:5001", repo: "a",
		},
		"HubDocker": {
			reason: "docker's name for Docker Hub.",
			files:  map[string]string{"f": `{"auths":{"https://index.docker.io/v1/":` + auth("hub") + `}}`},
			env:    map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "docker.io", repo: "library/fedora", user: "hub",
		},
		"HubPodman": {
			reason: "podman's name for Docker Hub.",
			files:  map[string]string{"f": `{"auths":{"docker.io":` + auth("hub") + `}}`},
			env:    map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "docker.io", repo: "library/fedora", user: "hub",
		},
		"URLKey": {
			reason: "A key may be a URL.",
			files:  map[string]string{"f": `{"auths":{"https://Reg.example/v2/":` + auth("1") + `}}`},
			env:    map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "reg.example", repo: "a", user: "1",
		},
		"EmptyEntry": {
			reason: "An empty entry says nothing; the less specific key is next.",
			files:  map[string]string{"f": `{"auths":{"quay.io/a":{},"quay.io":` + auth("1") + `}}`},
			env:    map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "quay.io", repo: "a/b", user: "1",
		},
		"EmptyFile": {
			reason: "An empty file is no broken one.", files: map[string]string{"f": " \n"},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "quay.io", repo: "a/b",
		},
		"Broken": {
			reason: "A broken file is named.", files: map[string]string{".docker/config.json": `{"auths":`},
			env: map[string]string{"HOME": "DIR"}, host: "quay.io", repo: "a/b", fails: "config.json is broken",
		},
		"BrokenType": {
			reason: "Wrong types too.", files: map[string]string{"f": `{"auths":{"quay.io":"secret"}}`},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "quay.io", repo: "a/b", fails: "is broken",
		},
		"BrokenAuth": {
			reason: "And what is not base64 of user:password.", files: map[string]string{"f": `{"auths":{"quay.io":{"auth":"c2VjcmV0"}}}`},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"}, host: "quay.io", repo: "a/b", fails: `auths["quay.io"]`,
		},
		"Helper": {
			reason: "A helper for the registry beats what the file holds.",
			files: map[string]string{
				"f":                           `{"credHelpers":{"quay.io":"one"},"auths":{"quay.io":` + auth("file") + `}}`,
				"bin/docker-credential-one":   "#!/bin/sh\necho '{\"Username\":\"helper\",\"Secret\":\"secret\"}'\n",
				"bin/docker-credential-other": "#!/bin/sh\nexit 1\n",
			},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "relative:DIR/bin"}, host: "quay.io", repo: "a/b", user: "helper",
		},
		"HelperToken": {
			reason: "A helper may hold an identity token.",
			files: map[string]string{
				"f":                         `{"credsStore":"one"}`,
				"bin/docker-credential-one": "#!/bin/sh\necho '{\"Username\":\"<token>\",\"Secret\":\"secret\"}'\n",
			},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin"}, host: "quay.io", repo: "a/b", token: "secret",
		},
		"StoreAfterFile": {
			reason: "What the file holds beats its store.",
			files: map[string]string{
				"f":                         `{"credsStore":"one","auths":{"quay.io":` + auth("file") + `}}`,
				"bin/docker-credential-one": "#!/bin/sh\necho '{\"Username\":\"helper\",\"Secret\":\"secret\"}'\n",
			},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin"}, host: "quay.io", repo: "a/b", user: "file",
		},
		"HelperForHub": {
			reason: "Helpers know Docker Hub by its URL.",
			files: map[string]string{
				"f":                         `{"credHelpers":{"docker.io":"one"}}`,
				"bin/docker-credential-one": "#!/bin/sh\nread server\necho '{\"Username\":\"'$server'\",\"Secret\":\"secret\"}'\n",
			},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin"}, host: "docker.io", repo: "library/a", user: "https://index.docker.io/v1/",
		},
		"HelperHasNone": {
			reason: "A helper that holds nothing is no failure.",
			files: map[string]string{
				"f":                         `{"credsStore":"one"}`,
				"bin/docker-credential-one": "#!/bin/sh\necho 'credentials not found in native keychain'\nexit 1\n",
			},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin"}, host: "quay.io", repo: "a/b",
		},
		"HelperFails": {
			reason: "A helper that fails is a note, without what it printed.",
			files: map[string]string{
				"f":                         `{"credsStore":"one"}`,
				"bin/docker-credential-one": "#!/bin/sh\necho 'secret'\nexit 3\n",
			},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin"}, host: "quay.io", repo: "a/b", notes: 1,
		},
		"HelperNoJSON": {
			reason: "Nor is nonsense repeated.",
			files: map[string]string{
				"f":                         `{"credsStore":"one"}`,
				"bin/docker-credential-one": "#!/bin/sh\necho 'secret'\n",
			},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin"}, host: "quay.io", repo: "a/b", notes: 1,
		},
		"HelperMissing": {
			reason: "A missing helper is a note; another file may help.",
			files: map[string]string{
				"run/containers/auth.json": `{"credHelpers":{"quay.io":"gone"}}`,
				".docker/config.json":      `{"auths":{"quay.io":` + auth("docker") + `}}`,
			},
			env:  map[string]string{"HOME": "DIR", "XDG_RUNTIME_DIR": "DIR/run", "PATH": "DIR/bin"},
			host: "quay.io", repo: "a/b", user: "docker", notes: 1,
		},
		"HelperPath": {
			reason: "A helper has a name, not a path.", files: map[string]string{"f": `{"credsStore":"../../bin/sh"}`},
			env: map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "/bin"}, host: "quay.io", repo: "a/b", notes: 1,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := keyring(t, tc.files, tc.env)
			got, err := k.Find(t.Context(), tc.host, tc.repo)
			if tc.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tc.fails) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "c2VjcmV0") {
					t.Errorf("%s\nerror: %v", tc.reason, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s\n%v", tc.reason, err)
			}
			if got.Username != tc.user || got.IdentityToken != tc.token || len(got.Notes) != tc.notes {
				t.Errorf("%s\nwant user %q, token %q and %d notes, got %q, %q and %q", tc.reason, tc.user, tc.token, tc.notes, got.Username, got.IdentityToken, got.Notes)
			}
			if tc.user != "" && (got.Password != "secret" || got.Source == "") {
				t.Errorf("%s\npassword or source is wrong: %q from %q", tc.reason, got.Password, got.Source)
			}
			for _, note := range got.Notes {
				if strings.Contains(note, "secret") {
					t.Errorf("%s\na note holds a secret: %s", tc.reason, note)
				}
			}
		})
	}
}

// TestFindIsDeterministic finds path-scoped credentials 30 times of 30, where
// go-containerregistry's keychain picks any key of the host.
func TestFindIsDeterministic(t *testing.T) {
	t.Parallel()
	for range 30 {
		k := keyring(t, map[string]string{"f": `{"auths":{"reg/a":` + auth("a") + `,"reg/b":` + auth("b") + `,"reg/c/d":` + auth("d") +
			`,"https://reg/e/":` + auth("e1") + `,"reg/e":` + auth("e2") + `}}`},
			map[string]string{"REGISTRY_AUTH_FILE": "DIR/f"})
		var got []string
		for _, repo := range []string{"a/x", "b/x", "c/d", "c/x", "e/x", "f"} {
			found, err := k.Find(t.Context(), "reg", repo)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, found.Username)
		}
		if diff := cmp.Diff([]string{"a", "b", "d", "", "e1", ""}, got); diff != "" {
			t.Fatalf("-want, +got:\n%s", diff)
		}
	}
}

func TestHelperRunsOnce(t *testing.T) {
	t.Parallel()
	k := keyring(t, map[string]string{
		"f":                         `{"credsStore":"one"}`,
		"bin/docker-credential-one": "#!/bin/sh\necho run >> DIR/runs\necho '{\"Username\":\"u\",\"Secret\":\"secret\"}'\n",
	}, map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin", "RUNS": "DIR/runs"})
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			found, err := k.Find(t.Context(), []string{"quay.io", "reg"}[i%2], fmt.Sprint("a/b", i))
			if err != nil || found.Username != "u" {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
	all.Wait()
	runs, err := os.ReadFile(k.Env("RUNS"))
	if err != nil || strings.Count(string(runs), "run") != 2 {
		t.Errorf("want one run a registry, got %q, %v", runs, err)
	}
}

// TestGivenOnly: neither a file is read nor a helper run, even if the file is broken.
func TestGivenOnly(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"Store": `{"credsStore":"one"}`, "Login": `{"auths":{"quay.io":` + auth("u") + `}}`, "Broken": "{"} {
		k := keyring(t, map[string]string{
			"f":                         file,
			"bin/docker-credential-one": "#!/bin/sh\necho run >> DIR/runs\necho '{\"Username\":\"u\",\"Secret\":\"secret\"}'\n",
		}, map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin", "RUNS": "DIR/runs"})
		k.GivenOnly, k.Given = true, []Credential{{Match: "given.example", Username: "g", Password: "secret"}}
		for host, user := range map[string]string{"quay.io": "", "given.example": "g"} {
			found, err := k.Find(t.Context(), host, "a/b")
			if err != nil || found.Username != user || len(found.Notes) > 0 != (user == "") {
				t.Errorf("%s: %s: want user %q and a note if there is none, got %+v, %v", name, host, user, found, err)
			}
		}
		if _, err := os.Stat(k.Env("RUNS")); err == nil {
			t.Errorf("%s: the credential helper ran", name)
		}
	}
}

func TestFindEndsWithItsContext(t *testing.T) {
	t.Parallel()
	k := keyring(t, map[string]string{
		"f":                         `{"credsStore":"one"}`,
		"bin/docker-credential-one": "#!/bin/sh\nexec /bin/sleep 5\n",
	}, map[string]string{"REGISTRY_AUTH_FILE": "DIR/f", "PATH": "DIR/bin"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.Find(ctx, "quay.io", "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("want the context's error, got %v", err)
	}
}

func TestCredentialIsNotPrinted(t *testing.T) {
	t.Parallel()
	c := Credential{Username: "u", Password: "secret", IdentityToken: "secret", Source: "file"}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if s := fmt.Sprintf(format, c); strings.Contains(s, "secret") {
			t.Errorf("%s prints the secret: %s", format, s)
		}
	}
}
