package confine

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// The environment variables of the machine.
const (
	// AllowedRegistries lists the only hosts that goldenarch may contact.
	AllowedRegistries = "GOLDENARCH_ALLOWED_REGISTRIES"
	// AllowFlag is the flag that lists them. A host must be in each list that is given.
	AllowFlag = "--registry-allow"
	// AllowedLogins lists the hosts that get the machine's logins although Git names their
	// certificate authority or calls them insecure.
	AllowedLogins = "GOLDENARCH_ALLOWED_LOGINS"
	// ArgoCD is a variable that Argo CD sets for a plugin.
	ArgoCD = "ARGOCD_APP_NAME"
)

// ErrRefused is the error of a host that goldenarch must not contact.
var ErrRefused = errors.New("the settings of this machine refuse it")

// unlistedError is an ErrRefused that the administrator can lift: a list does not have the host.
type unlistedError struct{ source, host string }

func (e unlistedError) Error() string {
	return fmt.Sprintf("%v: %s does not list the host %q", ErrRefused, e.source, e.host)
}

// Unwrap makes it an ErrRefused.
func (unlistedError) Unwrap() error { return ErrRefused }

// Advice returns the fix for an ErrRefused. The administrator can only allow a host that
// the list does not have yet.
func Advice(err error) string {
	if unlisted, ok := errors.AsType[unlistedError](err); ok {
		return "if that host is meant, whoever runs goldenarch must list it in " + unlisted.source
	}
	switch {
	case errors.Is(err, errLoopback):
		return "no setting allows that: use an address by which the cluster reaches the registry"
	case errors.Is(err, errUnusual):
		return "write the address in its usual form, or use the name of the host"
	}
	return "no setting allows that: check what the name of the host resolves to, and use another address"
}

// Policy says what goldenarch may contact. The zero Policy refuses only link-local and
// metadata addresses.
type Policy struct {
	// Argo says that the machine is a repo-server of Argo CD, which many tenants share.
	Argo bool
	// allowed are the lists of hosts that goldenarch may contact. A host must be in each of
	// them. Without a list, goldenarch may contact all hosts.
	allowed []allowList
	logins  []pattern
}

// allowList is a list of hosts, and the variable or flag that it comes from.
type allowList struct {
	source string
	hosts  []pattern
}

// FromEnv reads the policy of the machine. The error names the variable.
func FromEnv(env func(string) string) (Policy, error) {
	p, err := Policy{Argo: env(ArgoCD) != ""}.WithList(AllowedRegistries, env(AllowedRegistries))
	if err != nil {
		return p, err
	}
	p.logins, err = parse(AllowedLogins, env(AllowedLogins))
	return p, err
}

// WithList returns the policy that also requires each host to be in a list of hosts, which
// are separated by commas or blanks. An empty list requires nothing. The error names the
// source of the list.
func (p Policy) WithList(source, list string) (Policy, error) {
	hosts, err := parse(source, list)
	if err != nil || hosts == nil {
		return p, err
	}
	p.allowed = append(slices.Clone(p.allowed), allowList{source, hosts})
	return p, nil
}

// ListsHosts reports whether a list limits the hosts that goldenarch may contact.
func (p Policy) ListsHosts() bool { return len(p.allowed) > 0 }

// Address says why goldenarch must not contact an address, or returns nil.
func (p Policy) Address(a netip.Addr) error {
	if err := address(a, !p.Argo); err != nil {
		return fmt.Errorf("%w: %s %w", ErrRefused, a, err)
	}
	return nil
}

// Host says why goldenarch must not contact a host ("name", "name:port", "[address]:port"),
// or returns nil. The transport checks the address of a name when it dials. Behind a proxy
// it cannot see that address, so Host also refuses the names of metadata services and
// addresses in unusual forms.
func (p Policy) Host(host string) error {
	name, port := split(host)
	if err := p.refusedAlways(name); err != nil {
		return err
	}
	for _, list := range p.allowed {
		if !matches(list.hosts, name, port) {
			return unlistedError{list.source, host}
		}
	}
	return nil
}

// refusedAlways says why no list can allow a name, or returns nil.
func (p Policy) refusedAlways(name string) error {
	a, err := netip.ParseAddr(name)
	switch {
	case err == nil:
		return p.Address(a)
	case numeric().MatchString(name):
		return fmt.Errorf("%w: %q %w", ErrRefused, name, errUnusual)
	case name == "metadata.google.internal", name == "metadata.goog", name == "metadata":
		return fmt.Errorf("%w: %q %w", ErrRefused, name, errMetadata)
	case p.Argo && (name == "localhost" || strings.HasSuffix(name, ".localhost")):
		return fmt.Errorf("%w: %q %w", ErrRefused, name, errLoopback)
	}
	return nil
}

// Logins reports whether a host gets the machine's logins although Git configures the trust
// in it.
func (p Policy) Logins(host string) bool {
	name, port := split(host)
	return !p.Argo || matches(p.logins, name, port)
}

// numeric matches a host whose last label is a number: resolvers read it as an
// address ("2130706433", "0x7f.1", "127.1"; WHATWG URL, ends in a number).
var numeric = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(^|\.)([0-9]+|0x[0-9a-f]*)$`) })

// pattern is a host, or, with a dot in front, all hosts below a domain.
type pattern struct{ name, port string }

// parse reads hosts, separated by commas or blanks. It returns nil for "".
func parse(variable, list string) ([]pattern, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	out := []pattern{}
	for _, entry := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		name, port := split(strings.TrimPrefix(entry, "*"))
		if strings.Trim(port, "0123456789") != "" || strings.ContainsAny(name, "/@*?#") || strings.Trim(name, ".") == "" ||
			strings.HasPrefix(entry, "*") && !strings.HasPrefix(name, ".") {
			return nil, fmt.Errorf("%s: %q is not a host; expected host, host:port or *.example.com", variable, entry)
		}
		out = append(out, pattern{name, port})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %q names no host; expected host, host:port or *.example.com", variable, list)
	}
	return out, nil
}

func matches(list []pattern, name, port string) bool {
	for _, p := range list {
		fits := name == p.name || strings.HasPrefix(p.name, ".") && strings.HasSuffix(name, p.name)
		// Docker Hub's address differs from its name in references.
		fits = fits || name == "registry-1.docker.io" && p.name == imageref.DockerHub
		if fits && (p.port == "" || p.port == port) {
			return true
		}
	}
	return false
}

// split returns a host in lower case and without a final dot, and its port. The default
// port is 443.
func split(host string) (name, port string) {
	name, port = imageref.SplitPort(strings.ToLower(host))
	return strings.TrimSuffix(strings.Trim(name, "[]"), "."), port
}
