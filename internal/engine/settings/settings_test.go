package settings

import (
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// TestWithRelease: the release of the live CR replaces the one of a copy. The text of the
// spec, and the settings that other CRs use, stay.
func TestWithRelease(t *testing.T) {
	t.Parallel()
	stated := Of(&v1alpha1.GoldenImagesSpec{Release: "4.22"})
	live := stated.WithRelease(Of(&v1alpha1.GoldenImagesSpec{Release: "1.19"}).Release)
	if stated.Release.String() != "1.18" || !stated.Release.OfCNV() || live.Release.String() != "1.19" || live.Release.OfCNV() {
		t.Errorf("want 1.18 of CNV and 1.19 of HCO, got %q and %q", stated.Release, live.Release)
	}
	if live.GoldenImagesSpec.Release != "4.22" {
		t.Errorf("the text of the spec changed to %q", live.GoldenImagesSpec.Release)
	}
}
