package credential

import (
	globs "path"
	"strings"
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
	globName, globPort := splitPort(glob)
	name, port := splitPort(host)
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

func splitPort(host string) (name, port string) {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return host[:i], host[i+1:]
	}
	return host, ""
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
