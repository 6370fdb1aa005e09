package imageref

import (
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/opencontainers/go-digest"
)

// DockerHub is the registry of a name without a host, as in Kubernetes and CDI.
const DockerHub = "docker.io"

// SplitPort splits "host:port" and "[address]:port". port is "" for a host alone.
func SplitPort(host string) (name, port string) {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return host[:i], host[i+1:]
	}
	return host, ""
}

// IsDockerHub reports whether a host is one of the names of Docker Hub.
func IsDockerHub(host string) bool {
	return host == DockerHub || host == "index.docker.io" || host == "registry-1.docker.io"
}

// Reference is an image reference: a registry, a repository, and a tag, a digest or both.
// [Parse] makes it. A Reference is comparable, and can be a map key. The zero Reference
// names nothing.
type Reference struct {
	repository name.Repository
	// tag is "" if the reference has only a digest. If there is also a digest, the tag only
	// serves for messages: the digest selects the image.
	tag    string
	digest digest.Digest
}

// String returns the normalized reference, without "docker://":
// "docker.io/library/fedora:40", "quay.io/a/b:1@sha256:...". [Parse] reads it as the same
// Reference.
func (r Reference) String() string {
	if r == (Reference{}) {
		return ""
	}
	s := r.Host() + "/" + r.Repository()
	if r.tag != "" {
		s += ":" + r.tag
	}
	if r.digest != "" {
		s += "@" + r.Digest()
	}
	return s
}

// Host returns the registry as in the text: "quay.io", "localhost:5000", "[::1]:5000". For
// Docker Hub it returns "docker.io".
func (r Reference) Host() string {
	if r == (Reference{}) {
		return ""
	}
	if host := r.repository.RegistryStr(); host != name.DefaultRegistry {
		return host
	}
	return DockerHub
}

// Repository returns the name within the registry: "library/fedora".
func (r Reference) Repository() string { return r.repository.RepositoryStr() }

// Digest returns the digest, or "" if the reference has none.
func (r Reference) Digest() string { return r.digest.String() }

// Pinned reports whether the reference has a digest. CDI appends the digest of the tag to
// the URL that it polls, even if the URL already has a digest. The result is not a valid
// reference (cdi dataimportcron-controller.go).
func (r Reference) Pinned() bool { return r.digest != "" }

// Selector returns the digest or the tag that selects the image in the registry. The digest
// wins.
func (r Reference) Selector() string {
	if r.Pinned() {
		return r.Digest()
	}
	return r.tag
}

// WithName returns a reference with the same tag or digest and another name. The name must
// begin with a registry and have the full repository.
func (r Reference) WithName(name string) (Reference, error) {
	text := name
	if r.tag != "" {
		text += ":" + r.tag
	}
	if r.Pinned() {
		text += "@" + r.Digest()
	}
	at, err := Parse(text)
	if err == nil && at.Host()+"/"+at.Repository() != name {
		return Reference{}, parseError(text, "a mirror's name must begin with a registry, and have the repository in full")
	}
	return at, err
}

// Parsed caches the parsed reference of each text of a run, so that each text is parsed
// only once. A nil Parsed caches nothing.
type Parsed struct {
	mu    sync.Mutex
	known map[string]parsed
}

type parsed struct {
	reference Reference
	err       error
}

// Parse returns the same as [Parse] for a text.
func (p *Parsed) Parse(text string) (Reference, error) {
	if p == nil {
		return Parse(text)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	one, ok := p.known[text]
	if !ok {
		one.reference, one.err = Parse(text)
		if p.known == nil {
			p.known = map[string]parsed{}
		}
		p.known[text] = one
	}
	return one.reference, one.err
}
