package credential

import (
	globs "path"
	"strings"
)

// Entry is a login that was handed over, and where it may go.
type Entry struct {
	Credential

	// Match is the place: "host", "host:port" or "host/path". Labels of the
	// host may be globs: "*.example.com".
	Match string
	// Only says that it is for the repository Match alone: not for those below
	// it, and after all entries that are not so.
	Only bool
}

// given returns the handed-over login for a repository: of the entries that
// are for more than one repository the most specific one, else that of the
// repository itself. Of two that are alike the first one wins.
func (k *Keyring) given(host, repository string) (Credential, bool) {
	host = normalKey(host)
	var best *Entry
	for i := range k.Given {
		e := &k.Given[i]
		if !e.Anonymous() && e.matches(host, repository) && (best == nil || e.before(best)) {
			best = e
		}
	}
	if best == nil {
		return Credential{}, false
	}
	return best.Credential, true
}

// matches reports whether an entry is for a repository. Hosts are compared as
// the kubelet does (k8s.io/kubernetes pkg/credentialprovider/keyring.go,
// URLsMatch): label by label, each of which may be a glob, and the port
// exactly. Paths end at a slash, as podman has it; the kubelet would send the
// login of quay.io/org to quay.io/organic as well.
func (e *Entry) matches(host, repository string) bool {
	glob, prefix, _ := strings.Cut(normalKey(e.Match), "/")
	switch {
	case !hostMatches(glob, host):
		return false
	case e.Only:
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
		return true // also [::1], which would be a glob
	}
	patterns, labels := strings.Split(globName, "."), strings.Split(name, ".")
	if len(patterns) != len(labels) {
		return false
	}
	for i, g := range patterns {
		// A pattern that is none matches nothing.
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

// before reports whether an entry is more specific than another one that
// matches the same repository: it is for more than one repository, has the
// longer path, or the host with fewer globs.
func (e *Entry) before(other *Entry) bool {
	if e.Only != other.Only {
		return other.Only
	}
	host, prefix, _ := strings.Cut(normalKey(e.Match), "/")
	otherHost, otherPrefix, _ := strings.Cut(normalKey(other.Match), "/")
	if len(prefix) != len(otherPrefix) {
		return len(prefix) > len(otherPrefix)
	}
	return literal(host) > literal(otherHost)
}

// literal counts what of a host stands there in letters. One without a glob
// counts more than all others.
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
