package v1alpha1

import (
	"fmt"
	"strconv"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Release is a release of HCO.
type Release struct{ minor int }

// The releases that are accepted, the first that imports boot images of more
// than one architecture, and the distance between HCO's and CNV's minor numbers
// (HCO 1.19 is CNV 4.23).
const (
	oldestRelease = 6
	firstMulti    = 16
	newestRelease = 20
	cnvOffset     = 4
)

var releasePattern = pattern.Of(`^v?(1|4)\.(0|[1-9]\d{0,2})(\.\d+)?$`)

// ParseRelease reads a release of HCO ("1.18", "v1.18.1") or of CNV ("4.22").
// Nothing ("") is the undeclared release. The error says what is expected.
func ParseRelease(s string) (Release, error) {
	if s == "" {
		return Release{}, nil
	}
	parts := releasePattern().FindStringSubmatch(s)
	if parts == nil {
		return Release{}, fmt.Errorf("unknown release %q: expected a release of HCO such as \"1.19\", or of CNV such as \"4.23\"", s)
	}
	minor, _ := strconv.Atoi(parts[2]) // one to three digits
	if parts[1] == "4" {
		minor -= cnvOffset
	}
	if minor < oldestRelease || minor > newestRelease {
		return Release{}, fmt.Errorf("unknown release %q: known are HCO 1.%d to 1.%d (CNV 4.%d to 4.%d)",
			s, oldestRelease, newestRelease, oldestRelease+cnvOffset, newestRelease+cnvOffset)
	}
	return Release{minor}, nil
}

// Minor returns the minor of the HCO release, 0 if it is not declared.
func (r Release) Minor() int { return r.minor }

// Known reports whether a release is declared that has the gate
// enableMultiArchBootImageImport, in any form: 1.16 or newer.
func (r Release) Known() bool { return r.AtLeast(firstMulti) }

// AtLeast reports whether the release is declared, and HCO 1.minor or newer.
func (r Release) AtLeast(minor int) bool { return r.minor != 0 && r.minor >= minor }

// String returns "1.19", or "" if the release is not declared.
func (r Release) String() string {
	if r.minor == 0 {
		return ""
	}
	return fmt.Sprintf("1.%d", r.minor)
}
