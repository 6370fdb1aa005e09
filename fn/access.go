package fn

import "github.com/goldenarch/goldenarch/api/v1alpha1"

// Access is how registries are reached: what the configuration says, and what
// the items of the run hold for it.
type Access struct {
	Spec v1alpha1.RegistrySpec
}
