package expansion

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// Known are the architectures that SSP knows (ssp
// internal/architecture/architecture.go). It refuses a cluster with any other.
var Known = arch.NewSet(arch.AMD64, arch.ARM64, arch.S390X)

// Parse returns the architectures that SSP reads from declared architectures. SSP trims
// each part, and silently drops unknown ones (ssp reconcile.go: parseArchsAnnotation).
func Parse(claim string) arch.Set {
	var list []arch.Arch
	for part := range strings.SplitSeq(claim, ",") {
		if a := arch.Arch(strings.TrimSpace(part)); Known.Contains(a) {
			list = append(list, a)
		}
	}
	return arch.NewSet(list...)
}

// First returns the first architecture in order that the set contains; false if the set
// contains none. SSP chooses from the cluster's architectures in this way.
func First(order []arch.Arch, of arch.Set) (arch.Arch, bool) {
	i := slices.IndexFunc(order, of.Contains)
	if i < 0 {
		return "", false
	}
	return order[i], true
}
