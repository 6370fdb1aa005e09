package credential

import (
	globs "path"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

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
// a whole URL: "https://index.docker.io/v1/".
func normalKey(key string) string {
	if _, rest, found := strings.Cut(key, "://"); found {
		key = rest
	}
	key = strings.TrimRight(key, "/")
	for _, version := range []string{"/v1", "/v2"} {
		key = strings.TrimSuffix(key, version)
	}
	host, path, found := strings.Cut(key, "/")
	host = strings.ToLower(host)
	if imageref.IsDockerHub(host) {
		host = imageref.DockerHub // docker writes the URL of its first API, podman "docker.io"
	}
	if !found {
		return host
	}
	return host + "/" + strings.TrimRight(path, "/")
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
