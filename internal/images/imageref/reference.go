package imageref

import (
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/opencontainers/go-digest"
)

// DockerHub is the registry that a name without a host means, as Kubernetes
// and CDI read it.
const DockerHub = "docker.io"

// Reference is an image reference: a registry, a repository, and a tag, a
// digest or both. It is made by [Parse], is comparable, and can be a
// map key. The zero Reference names nothing.
type Reference struct {
	repository name.Repository
	tag        string
	digest     digest.Digest
}

// String returns the reference normalised, without "docker://":
// "docker.io/library/fedora:40", "quay.io/a/b:1@sha256:...". It parses to the
// same Reference again.
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

// Host returns the registry as it is written: "quay.io", "localhost:5000",
// "[::1]:5000". Docker Hub is "docker.io".
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

// Tag returns the tag, or "" where the reference has only a digest. Beside a
// digest it says nothing about what is asked for; it is for messages.
func (r Reference) Tag() string { return r.tag }

// Digest returns the digest, or "" where the reference has none.
func (r Reference) Digest() string { return r.digest.String() }

// Pinned reports whether the reference has a digest. CDI appends the digest
// of the tag to the URL it polls, also to one that is pinned already, and so
// makes a reference that cannot be read (cdi dataimportcron-controller.go).
func (r Reference) Pinned() bool { return r.digest != "" }

// Selector returns what the registry is asked for: the digest, which wins, or
// the tag.
func (r Reference) Selector() string {
	if r.Pinned() {
		return r.Digest()
	}
	return r.tag
}

// WithName returns the reference to the same tag or digest of another name, which must
// begin with a registry and have the repository in full.
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
		err = parseError(text, "a mirror's name must begin with a registry, and have the repository in full")
	}
	if err != nil {
		return Reference{}, err
	}
	return at, nil
}
