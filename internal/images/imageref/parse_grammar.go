package imageref

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/distribution/reference"
	"github.com/opencontainers/go-digest"
)

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
	if _, err := reference.WithTag(anyName, tag); hasTag && err != nil {
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

var anyName, _ = reference.WithName("a.example/a")

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
	if _, err := reference.WithName(name + ".x/a"); err != nil {
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
		if _, err := reference.WithName("a.example/" + part); err != nil {
			return "the part " + strconv.Quote(part) + " of the repository must be lower case letters and digits, joined by \".\", \"_\", \"__\" or dashes"
		}
	}
	return ""
}
