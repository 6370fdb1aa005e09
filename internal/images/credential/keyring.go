package credential

import (
	"cmp"
	"context"
	globs "path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
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
	// Withheld says why goldenarch did not send existing credentials, or is "". The
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

// given returns the passed login for a repository. Among the logins for more than one
// repository the most specific one wins. Without one, given returns the login of the
// repository itself. Of two equal ones the first wins.
func (k *Keyring) given(host, repository string) (Credential, bool) {
	host = normalKey(host)
	var best *Credential
	for i := range k.Given {
		c := &k.Given[i]
		if !c.Anonymous() && c.matches(host, repository) && (best == nil || c.before(best)) {
			best = c
		}
	}
	if best == nil {
		return Credential{}, false
	}
	found := *best
	found.Match, found.Only = "", false
	return found, true
}

// matches reports whether a login is for a repository. It compares hosts as the kubelet
// does (k8s.io/kubernetes pkg/credentialprovider/keyring.go, URLsMatch): label by label,
// each of which may be a glob, and the port exactly. Paths end at a slash, as in podman;
// the kubelet would send the login of quay.io/org to quay.io/organic as well.
func (c *Credential) matches(host, repository string) bool {
	glob, prefix, _ := strings.Cut(normalKey(c.Match), "/")
	switch {
	case !hostMatches(glob, host):
		return false
	case c.Only:
		return prefix == repository
	}
	rest, ok := strings.CutPrefix(repository, prefix)
	return ok && (prefix == "" || rest == "" || rest[0] == '/')
}

func hostMatches(glob, host string) bool {
	globName, globPort := imageref.SplitPort(glob)
	name, port := imageref.SplitPort(host)
	if globPort != port {
		return false
	}
	if globName == name {
		return true // also [::1], which looks like a glob
	}
	patterns, labels := strings.Split(globName, "."), strings.Split(name, ".")
	if len(patterns) != len(labels) {
		return false
	}
	for i, g := range patterns {
		// An invalid pattern matches nothing.
		if ok, err := globs.Match(g, labels[i]); err != nil || !ok {
			return false
		}
	}
	return true
}

// before reports whether a login is more specific than another one that matches the same
// repository. A login for more than one repository comes first, then the one with the
// longer path, then the one with fewer globs in the host.
func (c *Credential) before(other *Credential) bool {
	if c.Only != other.Only {
		return other.Only
	}
	host, prefix, _ := strings.Cut(normalKey(c.Match), "/")
	otherHost, otherPrefix, _ := strings.Cut(normalKey(other.Match), "/")
	if len(prefix) != len(otherPrefix) {
		return len(prefix) > len(otherPrefix)
	}
	return literal(host) > literal(otherHost)
}

// literal counts the characters of a host that are not part of a glob. A host without a
// glob counts more than all others.
func literal(host string) int {
	const special = `*?[`
	if !strings.ContainsAny(host, special) {
		return 1 << 10
	}
	n := 0
	for _, r := range host {
		if !strings.ContainsRune(special, r) {
			n++
		}
	}
	return n
}

// normalKey reduces a key of an auth file to host or host/path. docker allows
// a whole URL: "https://index.docker.io/v1/". The version of an API is the whole path then: a
// repository, too, may end with /v1.
func normalKey(key string) string {
	if _, rest, found := strings.Cut(key, "://"); found {
		key = rest
	}
	host, path, _ := strings.Cut(strings.TrimRight(key, "/"), "/")
	host = strings.ToLower(host)
	if imageref.IsDockerHub(host) {
		host = imageref.DockerHub // docker writes the URL of its first API, podman "docker.io"
	}
	if path == "" || path == "v1" || path == "v2" {
		return host
	}
	return host + "/" + path
}

// keysOf returns the keys that may hold the credentials of a repository, the most specific
// one first: quay.io/a/b, quay.io/a, quay.io.
func keysOf(host, repository string) []string {
	host = normalKey(host)
	list := []string{}
	for path := repository; path != ""; {
		list = append(list, host+"/"+path)
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			break
		}
		path = path[:i]
	}
	return append(list, host)
}

// serverOf returns the name of a registry for credential helpers.
func serverOf(key string) string {
	if key == imageref.DockerHub {
		return "https://index.docker.io/v1/"
	}
	return key
}
