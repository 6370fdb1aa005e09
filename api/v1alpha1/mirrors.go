package v1alpha1

import (
	"fmt"
	"slices"
)

// RegistryMirrors lists where images are also available, beside the registry at the
// beginning of their names.
type RegistryMirrors struct {
	// Source is the beginning of the names: a registry, a namespace or a repository, or
	// "*.example.com".
	Source string `json:"source"`
	// Mirrors replace the source in image names. goldenarch queries them in this order.
	Mirrors []string `json:"mirrors"`
	// NeverContactSource forbids goldenarch to query the source.
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
