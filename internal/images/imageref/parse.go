package imageref

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/opencontainers/go-digest"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Parse reads an image reference as CDI writes it in source.registry.url
// ("docker://quay.io/a/b:1") or as users write it ("quay.io/a/b:1", "fedora:40").
//
// The grammar is that of the distribution project, as containers/image has it, and IPv6 addresses. As in Kubernetes, a name without a host
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
	rest, sum, _ := strings.Cut(rest, "@")
	rest, tag, _ := cutTag(rest)
	if tag == "" && sum == "" {
		tag = "latest"
	}
	repository := normalized(rest)
	if len(repository) > maxName {
		return Reference{}, parseError(s, fmt.Sprintf("repository name must not be more than %d characters", maxName))
	}
	r := Reference{tag: tag, digest: digest.Digest(sum)}
	if r.repository, err = name.NewRepository(repository); err != nil {
		return Reference{}, parseError(s, err.Error())
	}
	return r, nil
}

// maxName is how many characters the grammar allows for a host and a repository.
const maxName = 255

// normalized returns a name without a fault with its host: docker.io where it has none, and
// docker.io/library for a name without a namespace (distribution/reference normalize.go).
func normalized(path string) string {
	host, repository, found := strings.Cut(path, "/")
	if !found || !isHostName(host) {
		host, repository = DockerHub, path
	}
	if host == "index.docker.io" {
		host = DockerHub
	}
	if host == DockerHub && !strings.Contains(repository, "/") {
		repository = "library/" + repository
	}
	return host + "/" + repository
}

// isHostName reports whether the first part of a name is a host. By the grammar a host has
// a dot, a colon or capital letters, or is "localhost".
func isHostName(first string) bool {
	return strings.ContainsAny(first, ".:[") || first == "localhost" || strings.ToLower(first) != first
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
	return parseError(text, fmt.Sprintf("%q is not an image in a registry; expected docker://host/repository:tag", transport+":"))
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

// referenceFault says what is wrong with a reference, or returns "". The grammar decides,
// but its own error only says that the format is invalid. referenceFault also refuses
// references that the grammar accepts but that no registry can have.
func referenceFault(s string) string {
	if reason := characterFault(s); reason != "" {
		return reason
	}
	path, sum, hasDigest := strings.Cut(s, "@")
	if hasDigest && !IsDigest(sum) {
		return "what follows \"@\" must be one digest: sha256:<64 hex digits> or sha512:<128 hex digits>, lower case"
	}
	path, tag, hasTag := cutTag(path)
	if hasTag && !isTag(tag) {
		return "the tag must be 1 to 128 letters, digits, \"_\", \".\" and \"-\", and begin with none of the last two"
	}
	first, rest, more := strings.Cut(path, "/")
	switch {
	case more && (isHostName(first) || first == ""), strings.ContainsAny(first, ":["):
		if reason := checkHost(first); reason != "" {
			return reason
		}
		path = rest
	case !more && IsDigest("sha256:"+path):
		return "64 hex digits are the id of a local image; expected a name, or name@sha256:<id>"
	}
	return checkRepository(path)
}

// The parts of the grammar (containers/image docker/reference regexp.go). That package compiles all of
// them in each start, whether or not there is a reference.
var (
	anyHost      = pattern.Of(`^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*$`)
	anyComponent = pattern.Of(`^[a-z0-9]+(?:(?:[._]|__|[-]*)[a-z0-9]+)*$`)
	anyTag       = pattern.Of(`^\w[\w.-]*$`)
)

func isTag(tag string) bool { return len(tag) <= 128 && anyTag().MatchString(tag) }

// isHost reports whether a name can be a host. The grammar also reads a name with an underscore,
// as the first part of a repository. isHost leaves place for a repository.
func isHost(name string) bool {
	return len(name) <= maxName-len(".x/a") && (anyHost().MatchString(name) || anyComponent().MatchString(name))
}

// isComponent reports whether a text can be a part of a repository. It leaves place for a host.
func isComponent(part string) bool {
	return len(part) <= maxName-len("a.example/") && anyComponent().MatchString(part)
}

// cutTag removes the tag from a name. A tag has no slash after it, so the colon of a port
// does not start one.
func cutTag(name string) (rest, tag string, found bool) {
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 || strings.Contains(name[colon:], "/") || strings.HasPrefix(name, "[") && !strings.Contains(name, "/") {
		return name, "", false
	}
	return name[:colon], name[colon+1:], true
}

// characterFault names a character that a reference cannot have: blanks, control characters
// and non-ASCII characters.
func characterFault(s string) string {
	if s == "" {
		return "it is empty; expected host/repository:tag"
	}
	for _, r := range s {
		if r <= ' ' || r > '~' {
			return "blanks, control characters and letters beyond ASCII are not allowed (found " + strconv.QuoteRuneToASCII(r) + ")"
		}
	}
	return ""
}

// IsDigest reports whether a text is a digest of an algorithm that the OCI image
// specification registers.
func IsDigest(s string) bool {
	d := digest.Digest(s)
	return d.Validate() == nil && d.Algorithm() != digest.SHA384
}

// checkHost returns what is wrong with a host or host:port, or "".
func checkHost(s string) string {
	var name, port string
	var hasPort bool
	if strings.HasPrefix(s, "[") {
		address, after, closed := strings.Cut(s[1:], "]")
		ip, err := netip.ParseAddr(address)
		if !closed || err != nil || !ip.Is6() || ip.Zone() != "" {
			return "the host must be an IPv6 address in brackets, such as [::1]:5000"
		}
		port, hasPort = strings.CutPrefix(after, ":")
		if after != "" && !hasPort {
			return "only a port can follow the IPv6 address"
		}
		name = "ipv6"
	} else {
		name, port, hasPort = strings.Cut(s, ":")
	}
	if n, err := strconv.Atoi(port); hasPort && (err != nil || n < 1 || n > 65535 || strings.Trim(port, "0123456789") != "") {
		return "the port of the host must be a number from 1 to 65535"
	}
	if strings.ToLower(name) != name {
		return "the host must be lower case: " + strconv.Quote(strings.ToLower(s))
	}
	// With a port it cannot be the first part of a repository.
	if !isHost(name) || hasPort && !anyHost().MatchString(name) {
		return "the host " + strconv.Quote(s) + " is not a host name"
	}
	return ""
}

// checkRepository returns what is wrong with a repository, or "".
func checkRepository(s string) string {
	if s == "" {
		return "the repository is missing; expected host/repository:tag"
	}
	if len(s) > 255 {
		return "the repository is longer than 255 characters"
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" {
			return "the repository has an empty part (two slashes, or one at the end)"
		}
		if !isComponent(part) {
			return "the part " + strconv.Quote(part) + " of the repository must be lower case letters and digits, joined by \".\", \"_\", \"__\" or dashes"
		}
	}
	return ""
}
