package kubevirt

import (
	"cmp"
	"fmt"
	"path"
	"slices"
)

// Rule is a rule by which KubeVirt refuses a machine or its instance.
type Rule string

// The rules. Those of a machine come first, then those of an instance alone.
const (
	RequiredArchitecture Rule = "requiredArchitecture" // another one than the preference requires
	GateOff              Rule = "gateOff"              // MultiArchitecture is off
	MachineTypeWrong     Rule = "machineType"          // not one of the architecture
	ThreadsOnARM         Rule = "threads"              // more than one thread a core, with dedicated CPUs on arm64
	PanicDevices         Rule = "panicDevices"         // on s390x
	LaunchSecurity       Rule = "launchSecurity"       // not on this architecture

	Unsupported  Rule = "architecture" // KubeVirt does not know it
	VideoType    Rule = "video"
	BIOSOnARM    Rule = "bios"
	SecureBoot   Rule = "secureBoot"
	CPUModel     Rule = "cpuModel"
	DiskBus      Rule = "diskBus"
	WatchdogKind Rule = "watchdog"
	SoundOnARM   Rule = "sound"
)

// Refusal is one reason for which KubeVirt refuses a machine or its instance.
type Refusal struct {
	Rule Rule
	// Field is the field below spec of the instance, and Value what it has.
	Field, Value string
}

// Text says why, given the architecture of the machine.
func (r Refusal) Text(architecture string) string {
	switch r.Rule {
	case RequiredArchitecture:
		return fmt.Sprintf("the preference requires the architecture %q, and the machine has %q", r.Value, architecture)
	case GateOff:
		return fmt.Sprintf("the feature gate MultiArchitecture is off, and the architecture %q is not that of KubeVirt's own nodes", architecture)
	case MachineTypeWrong:
		return fmt.Sprintf("the machine type %q does not exist on %s", r.Value, architecture)
	case ThreadsOnARM:
		return fmt.Sprintf("a dedicated core has %s threads, and arm64 allows one", r.Value)
	case PanicDevices:
		return "s390x has no panic devices"
	case LaunchSecurity:
		return fmt.Sprintf("launchSecurity does not exist on %s", architecture)
	case Unsupported:
		return fmt.Sprintf("KubeVirt does not support the architecture %q", r.Value)
	case VideoType:
		return fmt.Sprintf("the video type %q does not exist on %s", r.Value, architecture)
	case BIOSOnARM:
		return "arm64 boots with UEFI only, and not with BIOS"
	case SecureBoot:
		return "this KubeVirt supports no secure boot on arm64, and EFI turns it on by default"
	case CPUModel:
		return fmt.Sprintf("the CPU model %q does not exist on arm64, which has host-passthrough only", r.Value)
	case DiskBus:
		return fmt.Sprintf("the disk bus %q does not exist on arm64, which has virtio and scsi", r.Value)
	case WatchdogKind:
		if architecture == "arm64" {
			return "arm64 has no watchdog"
		}
		return fmt.Sprintf("this watchdog does not exist on %s", architecture)
	case SoundOnARM:
		return "arm64 has no sound device"
	default:
		return string(r.Rule)
	}
}

// refusedSpec is what the validating webhooks of all kinds refuse (validating-webhook/admitters/
// vmi-create-admitter.go: ValidateVirtualMachineInstanceSpec, validateArchitecture).
func (m Machine) refusedSpec(d Decision, c Cluster) []Refusal {
	var out []Refusal
	domain := m.Spec.Domain
	or := cmp.Or(d.Architecture, c.Default)
	accepted := c.EmulatedMachines
	if accepted == nil {
		accepted = c.typesOf(d.Architecture).Accepted
	}
	// validateEmulatedMachine
	if d.MachineType != "" && !slices.ContainsFunc(accepted, func(pattern string) bool {
		is, err := path.Match(pattern, d.MachineType)
		return err == nil && is
	}) {
		out = append(out, Refusal{Rule: MachineTypeWrong, Field: "domain.machine.type", Value: d.MachineType})
	}
	// validateCpuPinning calls validateThreadCountOnArchitecture
	if domain.CPU != nil && domain.CPU.Dedicated && domain.CPU.Threads > 1 && or == "arm64" {
		out = append(out, Refusal{Rule: ThreadsOnARM, Field: "domain.cpu.threads", Value: fmt.Sprint(domain.CPU.Threads)})
	}
	// validatePanicDevices
	if len(domain.Devices.PanicDevices) > 0 && (or == "s390x" || or == "ppc64le" && c.Version.rules().ppc64le) {
		out = append(out, Refusal{Rule: PanicDevices, Field: "domain.devices.panicDevices"})
	}
	// validateLaunchSecurity
	if domain.LaunchSecurity != nil && c.Version.rules().launchSecurity && d.Architecture != "amd64" && d.Architecture != "s390x" {
		out = append(out, Refusal{Rule: LaunchSecurity, Field: "domain.launchSecurity"})
	}
	if c.Version.rules().gate && !c.MultiArchitecture && d.Architecture != "" && d.Architecture != c.API {
		out = append(out, Refusal{Rule: GateOff, Field: "architecture", Value: d.Architecture})
	}
	return out
}

// neverStarts is what the webhook refuses only when the instance is created
// (ValidateVirtualMachineInstancePerArch).
func (m Machine) neverStarts(d Decision, c Cluster) []Refusal {
	devices := m.Spec.Domain.Devices
	switch d.Architecture {
	case "amd64": // webhooks/amd64.go
		return append(watchdog(devices, devices.Watchdog.isOnlyI6300ESB()), video(devices, "vga", "cirrus", "virtio", "ramfb", "bochs")...)
	case "s390x": // webhooks/s390x.go
		return append(watchdog(devices, devices.Watchdog.isOnlyDiag288()), video(devices, "virtio")...)
	case "arm64":
		return m.neverStartsOnARM(c)
	case "ppc64le":
		if c.Version.rules().ppc64le { // webhooks/ppc64le.go
			return video(devices, "virtio", "bochs", "vga", "cirrus")
		}
	}
	return []Refusal{{Rule: Unsupported, Field: "architecture", Value: d.Architecture}}
}

// neverStartsOnARM is webhooks/arm64.go.
func (m Machine) neverStartsOnARM(c Cluster) []Refusal {
	var out []Refusal
	domain := m.Spec.Domain
	if domain.Firmware != nil && domain.Firmware.Bootloader != nil {
		boot := domain.Firmware.Bootloader
		if boot.BIOS != nil {
			out = append(out, Refusal{Rule: BIOSOnARM, Field: "domain.firmware.bootloader.bios"})
		}
		if c.Version.rules().secureBoot && boot.EFI.IsSecure() {
			out = append(out, Refusal{Rule: SecureBoot, Field: "domain.firmware.bootloader.efi.secureBoot"})
		}
	}
	if domain.CPU != nil && domain.CPU.Model != "" && domain.CPU.Model != "host-passthrough" {
		out = append(out, Refusal{Rule: CPUModel, Field: "domain.cpu.model", Value: domain.CPU.Model})
	}
	for i, disk := range domain.Devices.Disks {
		for _, one := range []struct {
			name   string
			target *Target
		}{{"disk", disk.Disk}, {"cdrom", disk.CDRom}, {"lun", disk.LUN}} {
			if one.target != nil && !slices.Contains([]string{"", "virtio", "scsi"}, one.target.Bus) {
				out = append(out, Refusal{Rule: DiskBus, Field: fmt.Sprintf("domain.devices.disks[%d].%s.bus", i, one.name), Value: one.target.Bus})
			}
		}
	}
	if domain.Devices.Watchdog != nil {
		out = append(out, Refusal{Rule: WatchdogKind, Field: "domain.devices.watchdog"})
	}
	if domain.Devices.Sound != nil {
		out = append(out, Refusal{Rule: SoundOnARM, Field: "domain.devices.sound"})
	}
	return append(out, video(domain.Devices, "virtio", "ramfb")...)
}

func video(devices Devices, accepted ...string) []Refusal {
	if devices.Video == nil || slices.Contains(accepted, devices.Video.Type) {
		return nil
	}
	return []Refusal{{Rule: VideoType, Field: "domain.devices.video.type", Value: devices.Video.Type}}
}

func watchdog(devices Devices, fits bool) []Refusal {
	if devices.Watchdog == nil || fits {
		return nil
	}
	return []Refusal{{Rule: WatchdogKind, Field: "domain.devices.watchdog"}}
}

func (w *Watchdog) isOnlyI6300ESB() bool { return w != nil && w.I6300ESB != nil && w.Diag288 == nil }

func (w *Watchdog) isOnlyDiag288() bool { return w != nil && w.Diag288 != nil && w.I6300ESB == nil }
