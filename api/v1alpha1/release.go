package v1alpha1

import (
	"fmt"
	"strconv"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Release is a release of HCO.
type Release struct {
	minor int
	cnv   string // the CNV release, if its HCO release is not known
	ofCNV bool   // whether the text names a release of CNV
	isV5  bool   // whether the text names CNV 5.0, which has the HCO of 4.23
}

// The first two are the oldest release that goldenarch accepts, and the first one that
// imports boot images of more than one architecture. Then come the newest verified
// release, and the distance between the minor numbers of HCO and CNV. Up to 4.22, which is
// HCO 1.18, shipped releases show it, and kubevirt/monitoring#403 shows that 4.23 is 1.19.
// HCO's CI runs the branch of 1.19 on OpenShift 5.0 (openshift/release
// ci-operator/config/kubevirt/hyperconverged-cluster-operator), so 5.0 counts as 1.19.
const (
	oldestRelease = 6
	firstMulti    = 16
	newestRelease = 20
	cnvOffset     = 4
	firstOfFive   = 19
)

var releasePattern = pattern.Of(`^v?(1|4|[5-9])\.(0|[1-9]\d{0,2})(\.\d+)?$`)

// ParseRelease reads a release of HCO ("1.18", "v1.18.1") or of CNV ("4.22", "5.0"). An
// empty text gives the undeclared release. It accepts a release that is newer than the
// newest verified one: see [Release.Verified]. The error says what a release looks
// like.
func ParseRelease(s string) (Release, error) {
	if s == "" {
		return Release{}, nil
	}
	parts := releasePattern().FindStringSubmatch(s)
	if parts == nil {
		return Release{}, fmt.Errorf("unknown release %q: expected a release of HCO such as \"1.19\", or of OpenShift Virtualization such as \"5.0\"", s)
	}
	minor, _ := strconv.Atoi(parts[2]) // one to three digits
	ofCNV := parts[1] != "1"
	switch parts[1] {
	case "1":
	case "4":
		minor -= cnvOffset
	default:
		if parts[1] == "5" && minor == 0 {
			return Release{minor: firstOfFive, ofCNV: true, isV5: true}, nil
		}
		return Release{minor: newestRelease + 1, cnv: parts[1] + "." + parts[2], ofCNV: ofCNV}, nil
	}
	if minor < oldestRelease {
		return Release{}, fmt.Errorf("unknown release %q: expected HCO 1.%d or newer (CNV 4.%d or newer)", s, oldestRelease, oldestRelease+cnvOffset)
	}
	return Release{minor: minor, ofCNV: ofCNV}, nil
}

// OfCNV reports whether the user names the release as one of CNV (OpenShift
// Virtualization).
func (r Release) OfCNV() bool { return r.ofCNV }

// Same reports whether two releases are one release of HCO, whichever product names it:
// "4.22" and "1.18" are.
func (r Release) Same(other Release) bool { return r.minor == other.minor && r.cnv == other.cnv }

// Verified reports whether the release is no newer than the newest release that
// goldenarch has been verified with. goldenarch treats a newer one like the newest
// verified one. The undeclared release is verified.
func (r Release) Verified() bool { return r.minor <= newestRelease }

// NewestVerified returns the newest release that goldenarch has been verified with.
func NewestVerified() Release { return Release{minor: newestRelease} }

// Minor returns the minor number of the HCO release, or 0 if it is not declared. A
// release that is not verified has a greater one than the newest verified release.
func (r Release) Minor() int { return r.minor }

// Known reports whether a release is declared that has the gate
// enableMultiArchBootImageImport, in any form: 1.16 or newer.
func (r Release) Known() bool { return r.AtLeast(firstMulti) }

// Declared reports whether the user declares a release.
func (r Release) Declared() bool { return r.minor != 0 }

// Since reports whether a rule applies that HCO 1.minor introduced. An undeclared
// release counts as the newest one.
func (r Release) Since(minor int) bool { return r.minor == 0 || r.minor >= minor }

// AtLeast reports whether a release is declared and is HCO 1.minor or newer.
func (r Release) AtLeast(minor int) bool { return r.minor != 0 && r.minor >= minor }

// String returns "1.19", or "" if the release is not declared. For a CNV release whose
// HCO release is not known it returns "of CNV 5.1".
func (r Release) String() string {
	switch {
	case r.minor == 0:
		return ""
	case r.cnv != "":
		return "of CNV " + r.cnv
	}
	return fmt.Sprintf("1.%d", r.minor)
}

// Text returns the release as a user states it, in the numbers of the product that names
// it: "1.19", "4.23" or "5.0". It is "" if the release is not declared.
func (r Release) Text() string {
	switch {
	case r.cnv != "":
		return r.cnv
	case r.isV5:
		return "5.0"
	case r.ofCNV:
		return fmt.Sprintf("4.%d", r.minor+cnvOffset)
	default:
		return r.String()
	}
}
