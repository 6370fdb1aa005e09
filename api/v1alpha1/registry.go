package v1alpha1

import (
	"encoding/pem"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// maxRequestsPerSecond is far above what any registry serves.
const maxRequestsPerSecond = 1000

// longest is how much of what is no name is repeated.
const longest = 60

// IsPEM reports whether an entry of certificateAuthorities is certificates, and
// not the name of a ConfigMap.
func IsPEM(entry string) bool { return strings.Contains(entry, "-----BEGIN ") }

// SplitName takes "namespace/name" apart; the namespace is "" where there is
// none.
func SplitName(text string) (namespace, name string) {
	if namespace, name, found := strings.Cut(text, "/"); found {
		return namespace, name
	}
	return "", text
}

// checkHeld checks the options that name what the items hold. Nothing in them
// can name a file.
func checkHeld(errs *Errors, r RegistrySpec) {
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
			// Not repeated: it may be a key.
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
			is = fmt.Sprintf("is %q", text) // a longer one may be the content
		}
		errs.add(at, "%s, expected the name or namespace/name of %s", is, what)
	}
}
