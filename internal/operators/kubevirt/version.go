package kubevirt

import (
	"cmp"
	"strconv"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Version is a release of KubeVirt: 1.Minor.Patch. The zero Version is unknown.
type Version struct{ Minor, Patch int }

var versionPattern = pattern.Of(`^v?1\.(\d{1,3})\.(\d{1,4})(?:[-+].*)?$`)

// ParseVersion reads a version as status.observedKubeVirtVersion has it, such as v1.8.4. It
// returns false for anything else, such as a commit.
func ParseVersion(text string) (Version, bool) {
	parts := versionPattern().FindStringSubmatch(text)
	if parts == nil {
		return Version{}, false
	}
	minor, _ := strconv.Atoi(parts[1]) // up to three digits
	patch, _ := strconv.Atoi(parts[2])
	return Version{Minor: minor, Patch: patch}, true
}

func (v Version) since(minor, patch int) bool {
	return cmp.Or(cmp.Compare(v.Minor, minor), cmp.Compare(v.Patch, patch)) >= 0
}

// The releases of HCO, by their minor numbers.
const (
	// firstHCO is the first HCO whose templates declare architectures. Older ones carry a
	// KubeVirt before 1.6, whose rules about architectures nobody compared.
	firstHCO = 16
	newHCO   = 19
)

// carried has the versions of KubeVirt that the patch releases of an HCO release carry: the
// newest one, and the oldest one if its rules differ (hco hack/config). A branch carries a newer
// one than its last tag.
var carried = map[int][]Version{
	firstHCO: {{6, 2}, {6, 6}},
	17:       {{7, 4}},
	18:       {{8, 4}},
	newHCO:   {{9, 0}},
}

// CarriedBy returns the versions of KubeVirt that a release of HCO carries, given its minor
// number. It is one version if the rules of all are the same. A newer HCO counts as the newest
// known one, and 0 too. It is nil for an HCO before 1.16.
func CarriedBy(minor int) []Version {
	if minor == 0 || minor > newHCO {
		minor = newHCO
	}
	return carried[minor]
}

// rules are what differs between the versions.
type rules struct {
	// fromDataSource reads the architecture label of a DataSource (pkg/defaults/defaults.go:
	// setDefaultArchitectureFromDataSource, first in v1.6.4 and v1.7.0).
	fromDataSource bool
	// preferred knows preferredArchitecture and requirements.architecture of a preference
	// (pkg/instancetype/preference/apply/architecture.go).
	preferred bool
	// gate refuses another architecture than that of virt-api without the feature gate
	// MultiArchitecture (vmi-create-admitter.go: validateArchitecture, up to 1.7).
	gate bool
	// secureBoot refuses EFI with secure boot on arm64 (webhooks/arm64.go, up to 1.7).
	secureBoot bool
	// launchSecurity is checked by architecture (validateLaunchSecurity, from 1.7).
	launchSecurity bool
	// ppc64le is an architecture (ValidateVirtualMachineInstancePerArch, up to 1.6).
	ppc64le bool
	// mergesMemory lets an instancetype add to the memory of a machine (pkg/instancetype/apply/
	// memory.go), and sets its I/O threads, from 1.7.
	mergesMemory bool
	// insecureOnARM turns secure boot off where EFI does not state it on arm64 (pkg/defaults/arm64.go,
	// from 1.8).
	insecureOnARM bool
	// prefersDevices knows the preferred video type and launch security, and adds the preferred panic
	// device (pkg/instancetype/preference/apply, from 1.9).
	prefersDevices bool
	// videoGate refuses a video device without the feature gate VideoConfig (vmi-create-admitter.go: validateVideoConfig, up to 1.8).
	videoGate bool
	// snapshots infers from the labels of VolumeSnapshots (pkg/instancetype/infer/volume.go, from 1.9).
	snapshots bool
}

func (v Version) rules() rules {
	return rules{
		fromDataSource: v.since(6, 4), preferred: v.since(7, 0), gate: !v.since(8, 0), secureBoot: !v.since(8, 0),
		launchSecurity: v.since(7, 0), ppc64le: !v.since(7, 0), mergesMemory: v.since(7, 0),
		insecureOnARM: v.since(8, 0), prefersDevices: v.since(9, 0), snapshots: v.since(9, 0), videoGate: !v.since(9, 0),
	}
}

// Gated reports whether the version refuses machines of another architecture than virt-api's,
// unless the feature gate MultiArchitecture is on.
func (v Version) Gated() bool { return v.rules().gate }

// CrossesArchitectures reports whether the version has the feature gate
// CrossArchitectureVirtualization (featuregate/active.go, from 1.9).
func (v Version) CrossesArchitectures() bool { return v.since(9, 0) }

// ReadsPreference reports whether the version reads architectures from preferences.
func (v Version) ReadsPreference() bool { return v.rules().preferred }
