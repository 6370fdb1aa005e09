package kubevirt

import "slices"

// Unmodelled is something of a machine whose rules [Decide] does not follow. A machine that has it may be one that never
// starts.
type Unmodelled string

// What Decide does not follow.
const (
	UnsureInstancetype Unmodelled = "instancetype" // only the cluster shows it
	UnsurePreference   Unmodelled = "preference"
	Hyperv             Unmodelled = "hyperv" // but on amd64
	SMM                Unmodelled = "smm"
	TPM                Unmodelled = "tpm" // on s390x
	CPUOnS390X         Unmodelled = "cpu"
	OtherFirmware      Unmodelled = "firmware"     // on arm64, neither EFI nor BIOS
	Confidential       Unmodelled = "confidential" // webhooks.ValidateLaunchSecurityAmd64, and labels of nodes
	DedicatedCPU       Unmodelled = "dedicated"    // validateCpuPinning, without an instancetype
	VideoGate          Unmodelled = "video"        // validateVideoConfig: VideoConfig up to 1.8, which HCO turns on from 1.17 on unless its CR says no
)

// AllUnmodelled has all of them, in the order of their findings.
var AllUnmodelled = []Unmodelled{
	UnsureInstancetype, UnsurePreference, Hyperv, SMM, TPM, CPUOnS390X, OtherFirmware, Confidential, DedicatedCPU, VideoGate,
}

// unmodelled returns what the instance has whose rules are not followed.
func (d Decision) unmodelled(c Cluster) []Unmodelled {
	domain := d.Instance.Domain
	onARM, onS390X := d.Instance.Architecture == "arm64", d.Instance.Architecture == "s390x"
	has := map[Unmodelled]bool{
		UnsureInstancetype: d.Instancetype == Unsure,
		UnsurePreference:   d.Preference == Unsure,
		Hyperv:             (onARM || onS390X) && len(domain.Features.Hyperv) > 0,
		SMM:                (onARM || onS390X) && domain.Features.SMM.IsOn(),
		TPM:                onS390X && domain.Devices.TPM != nil,
		CPUOnS390X:         onS390X && (domain.CPU.NamesModel() || domain.CPU.Requires()),
		OtherFirmware:      onARM && domain.Firmware.EFI() == nil,
		Confidential:       domain.LaunchSecurity != nil,
		DedicatedCPU:       domain.CPU != nil && domain.CPU.Dedicated && d.Instancetype == NotNamed,
		VideoGate:          domain.Devices.Video != nil && c.Version.rules().videoGate && !slices.Contains(c.FeatureGates, "VideoConfig"),
	}
	return slices.DeleteFunc(slices.Clone(AllUnmodelled), func(u Unmodelled) bool { return !has[u] })
}
