package v1alpha1

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
)

// RegistryMirrors is where images can be had beside the registry that their
// names begin with.
type RegistryMirrors struct {
	// Source is how the names begin: a registry, a namespace or a repository, or
	// "*.example.com".
	Source string `json:"source"`
	// Mirrors stand in the source's place, in the order to ask.
	Mirrors []string `json:"mirrors"`
	// NeverContactSource forbids to ask the source.
	NeverContactSource bool `json:"neverContactSource,omitempty"`
}

// checkMirrors refuses what OpenShift would pass over without a word as well: an
// entry whose mirrors are none.
func checkMirrors(errs *Errors, list []RegistryMirrors) {
	first := map[string]string{} // source -> where
	for i, m := range list {
		at := fmt.Sprintf("spec.registry.mirrors[%d]", i)
		if why := mirror.CheckSource(m.Source); why != "" {
			errs.add(at+".source", "is %q: %s", m.Source, why)
		} else if other, twice := first[m.Source]; twice {
			errs.add(at+".source", "duplicate source %q: %s has it too", m.Source, other)
		} else {
			first[m.Source] = at
		}
		for j, location := range m.Mirrors {
			if why := mirror.CheckLocation(location); why != "" {
				errs.add(fmt.Sprintf("%s.mirrors[%d]", at, j), "is %q: %s", location, why)
			}
		}
		if !(mirror.Rule{Source: m.Source, Mirrors: m.Mirrors}).Real() {
			errs.add(at+".mirrors", "has no mirror beside the source itself")
		}
	}
}
