package v1alpha1

import (
	"encoding/pem"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
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

// checkHeld checks the options that name Secrets and ConfigMaps of the input. None of
// them can name a file.
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
