package imageref

import (
	"strings"

	"github.com/distribution/reference"
	"github.com/google/go-containerregistry/pkg/name"
)

// Parse reads an image reference as CDI writes it in source.registry.url
// ("docker://quay.io/a/b:1") or as users write it ("quay.io/a/b:1", "fedora:40").
//
// The grammar is that of the distribution project. As in Kubernetes, a name without a host
// means docker.io, and one without a namespace means docker.io/library. A reference without
// tag and digest has the tag "latest". The error is a [*ParseError].
func Parse(s string) (Reference, error) {
	rest, err := withoutTransport(s)
	if err != nil {
		return Reference{}, err
	}
	if reason := referenceFault(rest); reason != "" {
		return Reference{}, parseError(s, reason)
	}
	named, err := reference.ParseNormalizedNamed(rest)
	if err != nil {
		return Reference{}, parseError(s, err.Error())
	}
	var r Reference
	if tagged, ok := named.(reference.Tagged); ok {
		r.tag = tagged.Tag()
	}
	if digested, ok := named.(reference.Digested); ok {
		r.digest = digested.Digest()
	}
	if reference.IsNameOnly(named) {
		r.tag = "latest"
	}
	if r.repository, err = name.NewRepository(named.Name()); err != nil {
		return Reference{}, parseError(s, err.Error())
	}
	return r, nil
}

// isHostName reports whether the first part of a name is a host. By the grammar a host has
// a dot, a colon or capital letters, or is "localhost".
func isHostName(first string) bool {
	return strings.ContainsAny(first, ".:[") || first == "localhost" || strings.ToLower(first) != first
}

// HasHost reports whether a reference names its host explicitly.
func HasHost(s string) bool {
	rest, err := withoutTransport(s)
	first, _, more := strings.Cut(rest, "/")
	return err == nil && more && isHostName(first)
}
