package registry

import (
	"strings"
)

// ParseReference reads an image reference as CDI writes it in
// source.registry.url ("docker://quay.io/a/b:1") or as people write it
// ("quay.io/a/b:1", "fedora:40").
//
// A name without a host means docker.io, and one without a namespace
// docker.io/library, as Kubernetes reads them; without tag and digest it means
// the tag "latest". The error is a [*ParseError].
func ParseReference(s string) (Reference, error) {
	rest, err := withoutTransport(s)
	if err != nil {
		return Reference{}, err
	}
	if reason := oddCharacter(rest); reason != "" {
		return Reference{}, parseError(s, reason)
	}
	var r Reference
	name, digest, hasDigest := strings.Cut(rest, "@")
	if hasDigest && !isDigest(digest) {
		return Reference{}, parseError(s, "what follows \"@\" must be one digest: sha256:<64 hex digits> or sha512:<128 hex digits>, lower case")
	}
	r.digest = digest

	name, tag, hasTag := cutTag(name)
	if hasTag && !isTag(tag) {
		return Reference{}, parseError(s, "the tag must be 1 to 128 letters, digits, \"_\", \".\" and \"-\", and begin with none of the last two")
	}
	r.tag = tag
	if !hasTag && !hasDigest {
		r.tag = "latest"
	}

	r.host, r.repository = splitHost(name)
	if reason := checkHost(r.host); reason != "" {
		return Reference{}, parseError(s, reason)
	}
	if reason := checkRepository(r.repository); reason != "" {
		return Reference{}, parseError(s, reason)
	}
	if !strings.Contains(rest, "/") && isHex(r.repository[len("library/"):], 64) {
		return Reference{}, parseError(s, "64 hex digits are the id of a local image; expected a name, or name@sha256:<id>")
	}
	return r, nil
}

// cutTag takes the tag off a name. The colon of a port is no tag: a tag has
// no slash after it.
func cutTag(name string) (rest, tag string, found bool) {
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 || strings.Contains(name[colon:], "/") || strings.HasPrefix(name, "[") && !strings.Contains(name, "/") {
		return name, "", false
	}
	return name[:colon], name[colon+1:], true
}

// splitHost tells a host from the first part of a name, by the rule of the
// docker reference grammar: a host has a dot or a colon, or is "localhost", or
// has capitals.
func splitHost(name string) (host, repository string) {
	first, rest, found := strings.Cut(name, "/")
	isHost := isHostName(first)
	switch {
	case !found && isHost && strings.ContainsAny(first, ":["):
		return first, ""
	case !found:
		return dockerHub, "library/" + name
	case !isHost && first != "":
		return dockerHub, name
	case first == "index.docker.io":
		first = dockerHub
	}
	if first == dockerHub && rest != "" && !strings.Contains(rest, "/") {
		rest = "library/" + rest
	}
	return first, rest
}

func isHostName(first string) bool {
	return strings.ContainsAny(first, ".:[") || first == "localhost" || strings.ToLower(first) != first
}

// saysHost reports whether a reference is written with its host.
func saysHost(s string) bool {
	rest, err := withoutTransport(s)
	first, _, more := strings.Cut(rest, "/")
	return err == nil && more && isHostName(first)
}
