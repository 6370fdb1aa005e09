package access

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/certificate"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// settings says how to reach registries, from the configuration and from the items of the
// run.
type settings struct {
	// spec is the spec of the configuration, with the insecure registries of the CRs.
	spec v1alpha1.RegistrySpec
	// credentials are the logins of pull secrets among the items, followed by those of the
	// Secrets that templates refer to, each for its image.
	credentials []credential.Credential
	// authorities are trusted in addition to the system's.
	authorities []certificate.Authority
	// mirrors is the mirror policy from the mirror sets among the items and from the
	// configuration.
	mirrors mirror.Policy
	// note receives what registries say beside their answers; many goroutines call it.
	note func(registry.Note)
}

// options adds what the run knows about registries to what the caller states.
func (a settings) options(stated registry.Options) registry.Options {
	out := RegistryOptions(stated, a.spec)
	out.Credentials, out.Authorities, out.Mirrors, out.Note = a.credentials, a.authorities, a.mirrors, a.note
	return out
}

// RegistryOptions adds what a configuration says about registries to what the caller
// states.
func RegistryOptions(stated registry.Options, spec v1alpha1.RegistrySpec) registry.Options {
	out := stated
	out.RequestTimeout = spec.OneRequestTimeout()
	if out.Retries = *spec.Retries; out.Retries == 0 {
		out.Retries = -1 // to the client, 0 means the default
	}
	out.Concurrency, out.RequestsPerSecond = spec.Concurrency, spec.RequestsPerSecond
	out.Insecure, out.Verify = spec.Insecure, spec.Verify
	return out
}
