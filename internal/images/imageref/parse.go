package imageref

import (
	"fmt"
	"slices"
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

// otherTransports are the transports of containers/image other than docker://
// (containers-transports(5)). Their references name files and stores, not registries.
var otherTransports = []string{
	"atomic", "containers-storage", "dir", "docker-archive", "docker-daemon",
	"oci", "oci-archive", "ostree", "sif", "tarball",
}

// withoutTransport removes "docker://" from a reference. It ignores case, as CDI's webhook
// does, and refuses an image that is not in a registry.
func withoutTransport(s string) (string, error) {
	if scheme, rest, found := strings.Cut(s, "://"); found {
		if strings.EqualFold(scheme, "docker") {
			return rest, nil
		}
		return "", transportError(s, scheme)
	}
	scheme, rest, found := strings.Cut(s, ":")
	scheme = strings.ToLower(scheme)
	if !found || !slices.Contains(otherTransports, scheme) {
		return s, nil
	}
	// "oci:1.0" and "dir:5000/x" may be an image and a host; "oci:/x" and
	// "oci-archive:x" are not.
	if strings.Contains(scheme, "-") || rest == "" || strings.ContainsAny(rest[:1], "/.") {
		return "", transportError(s, scheme)
	}
	return s, nil
}

// ParseError says why a text is not a reference to an image in a registry.
type ParseError struct {
	// Text is the text to read, without any password in it.
	Text string
	// Transport is set if the text names an image that is not in a registry: "oci-archive",
	// "docker-daemon", "https".
	Transport string
	// Reason says what is wrong and what was expected.
	Reason string
}

// Error implements error.
func (e *ParseError) Error() string {
	return fmt.Sprintf("image reference %q: %s", e.Text, e.Reason)
}

func parseError(text, reason string) error {
	return &ParseError{Text: withoutUser(text), Reason: reason}
}

func transportError(text, transport string) error {
	return &ParseError{
		Text:      withoutUser(text),
		Transport: strings.ToLower(transport),
		Reason:    fmt.Sprintf("%q is not an image in a registry; expected docker://host/repository:tag", transport+":"),
	}
}

// withoutUser hides what may be "user:password@": the part before an "@" that is not
// followed by a digest.
func withoutUser(text string) string {
	scheme, rest := "", text
	if before, after, found := strings.Cut(text, "://"); found && !strings.Contains(before, "@") {
		scheme, rest = before+"://", after
	}
	if authority, _, found := strings.Cut(rest, "/"); found && strings.Contains(authority, "@") {
		return scheme + "xxxxx" + rest[strings.LastIndexByte(authority, '@'):]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 || strings.HasPrefix(rest[at+1:], "sha") && !strings.ContainsAny(rest[at:], "/") {
		return text
	}
	return scheme + "xxxxx" + rest[at:]
}
