package expansion

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
)

// TestHCOAndSSPAgree: HCO splits a claim without trimming, SSP trims and knows
// three architectures. On what goldenarch writes the two never disagree: what
// HCO leaves of it, SSP reads in full.
func TestHCOAndSSPAgree(t *testing.T) {
	t.Parallel()
	all := []arch.Arch{arch.AMD64, arch.ARM64, arch.S390X, "ppc64le", "riscv64", "386", "arm"}
	rapid.Check(t, func(t *rapid.T) {
		image := arch.NewSet(rapid.SliceOf(rapid.SampledFrom(all)).Draw(t, "image")...)
		workload := arch.NewSet(rapid.SliceOf(rapid.SampledFrom(all)).Draw(t, "workload")...)
		left := arch.NewSet(arch.Claim(image.String()).HCO(workload)...)
		if !left.Equal(image.Intersect(workload)) {
			t.Fatalf("HCO reads %q as %q on %q", image, left, workload)
		}
		if reads := parse(left.String()); !reads.Equal(left.Intersect(cluster.KnownToSSP)) {
			t.Fatalf("SSP reads %q as %q", left, reads)
		}
	})
}
