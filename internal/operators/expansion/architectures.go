package expansion

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// Known are the architectures that SSP knows (ssp
// internal/architecture/architecture.go). It refuses a cluster with any other.
var Known = arch.NewSet(arch.AMD64, arch.ARM64, arch.S390X)

// Parse returns the architectures that SSP reads out of a claim: it trims, and
// drops what it does not know without a word (ssp reconcile.go:
// parseArchsAnnotation).
func Parse(claim string) arch.Set {
	var list []arch.Arch
	for part := range strings.SplitSeq(claim, ",") {
		if a := arch.Arch(strings.TrimSpace(part)); Known.Contains(a) {
			list = append(list, a)
		}
	}
	return arch.NewSet(list...)
}

// First returns the first architecture of an order, as SSP takes it from the
// cluster's, that a set has; false if there is none.
func First(order []arch.Arch, of arch.Set) (arch.Arch, bool) {
	i := slices.IndexFunc(order, of.Contains)
	if i < 0 {
		return "", false
	}
	return order[i], true
}
