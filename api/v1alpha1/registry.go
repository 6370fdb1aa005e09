package v1alpha1

import (
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// maxRequestsPerSecond is far more than any registry serves.
const maxRequestsPerSecond = 1000

// longest is how many characters of an invalid name a message repeats.
const longest = 60

// IsPEM reports whether an entry of certificateAuthorities contains certificates,
// instead of the name of a ConfigMap.
func IsPEM(entry string) bool { return strings.Contains(entry, "-----BEGIN ") }

// SplitName splits "namespace/name". The namespace is "" if the text has none.
func SplitName(text string) (namespace, name string) {
	if namespace, name, found := strings.Cut(text, "/"); found {
		return namespace, name
	}
	return "", text
}

// checkInputNames checks the options that name Secrets and ConfigMaps of the input. None of
// them can name a file.
func checkInputNames(errs *Errors, r RegistrySpec) {
	if r.RequestsPerSecond < 0 || r.RequestsPerSecond > maxRequestsPerSecond {
		errs.add("spec.registry.requestsPerSecond", "is %d, expected 0 to %d", r.RequestsPerSecond, maxRequestsPerSecond)
	}
	for i, secret := range r.PullSecrets {
		checkName(errs, fmt.Sprintf("spec.registry.pullSecrets[%d]", i), "a Secret", secret)
	}
	for i, authority := range r.CertificateAuthorities {
		at := fmt.Sprintf("spec.registry.certificateAuthorities[%d]", i)
		switch {
		case !IsPEM(authority):
			checkName(errs, at, "a ConfigMap, or certificates in PEM", authority)
		case !hasCertificate(authority):
			// The message does not repeat the entry: it may be a private key.
			errs.add(at, "is PEM without a certificate, expected -----BEGIN CERTIFICATE-----")
		}
	}
}

func hasCertificate(text string) bool {
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return false
		}
		if block.Type == "CERTIFICATE" {
			return true
		}
	}
}

func checkName(errs *Errors, at, what, text string) {
	namespace, name := SplitName(text)
	if len(validation.IsDNS1123Subdomain(name)) > 0 || namespace == "" && name != text ||
		namespace != "" && len(validation.IsDNS1123Label(namespace)) > 0 {
		is := "is not a name"
		if len(text) <= longest && !strings.ContainsAny(text, "\n{") {
			is = fmt.Sprintf("is %q", text) // a longer text may be the content of a Secret or a ConfigMap
		}
		errs.add(at, "%s, expected the name or namespace/name of %s", is, what)
	}
}

// The methods below parse values that Validate has accepted, so they cannot fail.

// RunTimeout returns how long a run may query registries in total.
func (r RegistrySpec) RunTimeout() time.Duration { return duration(r.Timeout) }

// OneRequestTimeout returns how long one request may take.
func (r RegistrySpec) OneRequestTimeout() time.Duration { return duration(r.RequestTimeout) }

func duration(s string) time.Duration {
	d, _ := time.ParseDuration(s)
	return d
}

// RegistryMirrors lists where images are also available, beside the registry at the
// beginning of their names.
type RegistryMirrors struct {
	// A registry, a namespace or a repository (`quay.io/containerdisks`), or
	// `*.example.com`. Each is there once.
	Source string `json:"source"`
	// What replaces the source in names, in the order to query.
	Mirrors []string `json:"mirrors"`
	// Forbids to query the source, whatever the mirrors answer.
	NeverContactSource bool `json:"neverContactSource,omitempty"`
}

// checkMirrors rejects what OpenShift would skip silently: an entry with an empty list
// of mirrors.
func checkMirrors(errs *Errors, list []RegistryMirrors) {
	first := map[string]string{} // by source, the path of its first entry
	for i, m := range list {
		at := fmt.Sprintf("spec.registry.mirrors[%d]", i)
		if why := CheckMirrorSource(m.Source); why != "" {
			errs.add(at+".source", "is %q: %s", m.Source, why)
		} else if other, twice := first[m.Source]; twice {
			errs.add(at+".source", "duplicate source %q: %s has it too", m.Source, other)
		} else {
			first[m.Source] = at
		}
		for j, location := range m.Mirrors {
			if why := CheckMirror(location); why != "" {
				errs.add(fmt.Sprintf("%s.mirrors[%d]", at, j), "is %q: %s", location, why)
			}
		}
		if !slices.ContainsFunc(m.Mirrors, func(mirror string) bool { return mirror != m.Source }) {
			errs.add(at+".mirrors", "has no mirror beside the source itself")
		}
	}
}

// label is a part of a host's name, and part is a part of a repository's (distribution
// reference grammar).
const (
	label = `[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?`
	part  = `[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*`
)

var (
	locationPattern = pattern.Of(`^(?:\[[0-9a-fA-F:.]+\]|` + label + `(?:\.` + label + `)*)(?::[0-9]{1,5})?(?:/` + part + `)*$`)
	domainPattern   = pattern.Of(`^\*(?:\.` + label + `)+$`)
)

// CheckMirrorSource says why a text cannot be the source of mirrors. It returns "" for a
// location, or "*.example.com".
func CheckMirrorSource(text string) string {
	if domainPattern().MatchString(text) {
		return ""
	}
	if strings.HasPrefix(text, "*") {
		return "expected \"*.\" and a domain, without port and path"
	}
	return CheckMirror(text)
}

// CheckMirror says why a text cannot be a mirror. It returns "" for a registry, with or
// without the beginning of a repository's name.
func CheckMirror(text string) string {
	host, _, _ := strings.Cut(text, "/")
	switch {
	case text == "":
		return "expected a registry, or a namespace or repository in one"
	case strings.Contains(text, "://"):
		return "expected no scheme"
	case strings.HasSuffix(text, "/"):
		return "expected no slash at the end"
	case !locationPattern().MatchString(text):
		return "expected host[:port][/namespace[/repository]], without tag and digest"
	case !strings.ContainsAny(host, ".:") && host != "localhost":
		// A reference without a registry belongs to Docker Hub.
		return "does not begin with a registry: a host has a dot or a port"
	}
	return ""
}
