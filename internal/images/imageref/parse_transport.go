package imageref

import (
	"slices"
	"strings"
)

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
