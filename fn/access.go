package fn

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// Access is how registries are reached: what the configuration says, and what
// the items of the run hold for it.
type Access struct {
	// Spec is that of the configuration, with the insecure registries of the CRs.
	Spec v1alpha1.RegistrySpec
	// Credentials are the logins of pull secrets among the items, and then those
	// of the Secrets that templates refer to, each for its image.
	Credentials []registry.Credential
	// Authorities are trusted beside the system's.
	Authorities []registry.Authority
	// Mirrors is where images can be had, by the mirror sets among the items and by
	// the configuration.
	Mirrors mirror.Policy
	// Note takes what registries say beside their answers; from many goroutines.
	Note func(registry.Note)
}
