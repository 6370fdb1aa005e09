package credential

import (
	"cmp"
	"context"
	"path/filepath"
	"strconv"
	"sync"
)

// Keyring finds credentials. It reads the files once, with the first call of Find. Set the
// fields before that. It is safe for use by many goroutines.
type Keyring struct {
	// AuthFile, if set, is the only file that is read.
	AuthFile string
	// Env returns an environment variable.
	Env func(string) string
	// Given are logins that the caller passes. They win over the files.
	Given []Credential
	// GivenOnly prevents the use of files and credential helpers.
	GivenOnly bool
	// UID is the user's number, which podman uses for its file below /run.
	UID int

	once  sync.Once
	files []*file
	err   error

	mu      sync.Mutex
	answers map[question]*answer
}

// Found is what a Keyring knows about a repository.
type Found struct {
	Credential
	// Notes say what went wrong during the search, such as a missing credential helper.
	// They matter only if the registry then refuses the request.
	Notes []string
	// `Withheld` says why goldenarch did not send existing credentials, or is "". The
	// Keyring leaves it empty.
	Withheld string
	// Machine says that the credentials come from the machine's files or helpers, not from
	// the caller.
	Machine bool
}

// Find returns the credentials for a repository of a registry, or empty ones. Credentials
// that the caller passes win over those of the files. The error names the file that cannot
// be read, or is a [*WaitError]. For a credential helper that fails Find adds a note.
func (k *Keyring) Find(ctx context.Context, host, repository string) (Found, error) {
	if c, ok := k.given(host, repository); ok {
		return Found{Credential: c}, nil
	}
	if k.GivenOnly {
		return Found{Notes: []string{"goldenarch uses no logins of this machine for an untrusted input"}}, nil
	}
	k.once.Do(k.load)
	if k.err != nil {
		return Found{}, k.err
	}
	var found Found
	for _, key := range keysOf(host, repository) {
		for _, f := range k.files {
			c, err := k.lookUp(ctx, f, key, key == normalKey(host))
			if err != nil && ctx.Err() != nil {
				return Found{}, err
			}
			if err != nil {
				found.Notes = append(found.Notes, err.Error())
			}
			if !c.Anonymous() {
				found.Credential, found.Machine = c, true
				return found, nil
			}
		}
	}
	return found, nil
}

// lookUp searches one file for one key: the helper for the key, then the file's own
// entries, and, for the host as a whole, the credential store.
func (k *Keyring) lookUp(ctx context.Context, f *file, key string, isHost bool) (Credential, error) {
	helper := f.helpers[key]
	if helper == "" {
		if c, ok := f.auths[key]; ok {
			return c, nil
		}
		if !isHost || f.store == "" {
			return Credential{}, nil
		}
		helper = f.store
	}
	return k.ask(ctx, question{helper, serverOf(key)})
}

func (k *Keyring) load() {
	paths, required := k.paths()
	for _, name := range paths {
		f, err := readFile(name, required)
		if err != nil {
			k.err = err
			return
		}
		if f != nil {
			k.files = append(k.files, f)
		}
	}
}

// paths returns the files in podman's order (containers-auth.json(5)). A file that the user
// names is the only one, and must exist; otherwise podman's come first, then docker's.
func (k *Keyring) paths() (list []string, required bool) {
	if named := cmp.Or(k.AuthFile, k.Env("REGISTRY_AUTH_FILE")); named != "" {
		return []string{named}, true
	}
	add := func(parts ...string) {
		if parts[0] != "" {
			list = append(list, filepath.Join(parts...))
		}
	}
	home := k.Env("HOME")
	if dir := k.Env("XDG_RUNTIME_DIR"); dir != "" {
		add(dir, "containers", "auth.json")
	} else {
		add("/run/containers", strconv.Itoa(k.UID), "auth.json")
	}
	if dir := k.Env("XDG_CONFIG_HOME"); dir != "" {
		add(dir, "containers", "auth.json")
	} else {
		add(home, ".config", "containers", "auth.json")
	}
	if dir := k.Env("DOCKER_CONFIG"); dir != "" {
		add(dir, "config.json")
	} else {
		add(home, ".docker", "config.json")
	}
	return list, false
}
