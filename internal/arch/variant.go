package arch

import "slices"

// compatible lists the variants that CDI's importer accepts for an architecture, in its
// order of preference. The importer requests an architecture and never a variant
// (containers/image internal/pkg/platform: WantedPlatforms).
var compatible = map[Arch][]string{
	"arm": {"", "v8", "v7", "v6", "v5"},
	ARM64: {"", "v8"},
}

// VariantRank returns the place of a variant among those that CDI's importer accepts
// for an architecture. 0 is the preferred one. The result is negative for a variant
// that it never accepts, such as v2 of amd64.
func VariantRank(a Arch, variant string) int {
	list, ok := compatible[a]
	if !ok {
		list = []string{""}
	}
	return slices.Index(list, variant)
}

// All returns every architecture that Go builds for Linux, sorted.
func All() []Arch { return slices.Clone(known) }
