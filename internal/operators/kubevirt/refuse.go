package kubevirt

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// Rule is a rule by which KubeVirt refuses a machine or its instance.
type Rule string

// The rules. Those of a machine come first, then those of an instance alone.
const (
	ReferenceWrong       Rule = "reference"            // to an instancetype or a preference
	Conflict             Rule = "conflict"             // a field that the instancetype sets, too
	CPUsDivided          Rule = "cpusDivided"          // the preference spreads CPUs, and their number does not fit
	RequiredArchitecture Rule = "requiredArchitecture" // another one than the preference requires
	RequiredSize         Rule = "requiredSize"         // less than the preference requires
	GateOff              Rule = "gateOff"              // MultiArchitecture is off
	MachineTypeWrong     Rule = "machineType"          // not one of the architecture
	MachineTypeUnstated  Rule = "machineTypeAlone"     // not one of amd64, whose types count where no architecture is stated
	ThreadsOnARM         Rule = "threads"              // more than one thread a core, with dedicated CPUs on arm64
	PanicDevices         Rule = "panicDevices"         // on s390x
	LaunchSecurity       Rule = "launchSecurity"       // not on this architecture
	NoSMM                Rule = "smm"                  // secure boot without SMM
	CDRomVirtio          Rule = "cdromVirtio"          // a CD-ROM on virtio, which is the default but on amd64
	LUNOfImage           Rule = "lun"                  // of another volume than a claim or a DataVolume
	WebhookFails         Rule = "webhook"              // it panics

	NotFound     Rule = "notFound"     // the instancetype or the preference
	Unsupported  Rule = "architecture" // KubeVirt does not know it
	VideoType    Rule = "video"
	BIOSOnARM    Rule = "bios"
	SecureBoot   Rule = "secureBoot"
	CPUModel     Rule = "cpuModel"
	DiskBus      Rule = "diskBus"
	WatchdogKind Rule = "watchdog"
	SoundOnARM   Rule = "sound"

	NoFirmware   Rule = "firmware" // virt-launcher has none
	NoCPUModel   Rule = "cpuModelLabel"
	NoCPUFeature Rule = "cpuFeatureLabel"
	NoHyperv     Rule = "hypervLabel"
)

// Refusal is one reason for which KubeVirt refuses a machine or its instance.
type Refusal struct {
	Rule Rule
	// Field is the field below spec of the instance, and Value what it has.
	Field, Value string
}

// AfterWebhooks reports whether no webhook refuses the machine: it finds no node or no firmware.
func (r Refusal) AfterWebhooks() bool { return r.Rule == NoFirmware || r.OfNode() }

// OfNode reports whether no webhook refuses the machine: no node has the labels that its pod asks for.
func (r Refusal) OfNode() bool {
	return r.Rule == NoCPUModel || r.Rule == NoCPUFeature || r.Rule == NoHyperv
}

// Text says why, given the architecture of the machine.
func (r Refusal) Text(architecture string) string {
	switch r.Rule {
	case ReferenceWrong:
		return "the reference to its instancetype or its preference is wrong: it names nothing, both a name and a volume, or a volume that names none"
	case NotFound:
		return "KubeVirt knows no such kind of instancetype or preference"
	case Conflict:
		return fmt.Sprintf("its instancetype sets %s, too", r.Field)
	case CPUsDivided:
		return fmt.Sprintf("its preference spreads the CPUs over sockets, cores or threads, and the %s CPUs of the instancetype cannot be divided so", r.Value)
	case RequiredSize:
		if r.Field == "domain.cpu" {
			return "it has fewer CPUs than its preference requires"
		}
		return "it has less memory than its preference requires"
	case NoSMM:
		return "secure boot needs SMM, and EFI turns secure boot on by default"
	case CDRomVirtio:
		return "a CD-ROM cannot be on virtio, which is the default bus of " + architecture
	case LUNOfImage:
		return "a disk of the type lun needs a PersistentVolumeClaim or a DataVolume"
	case WebhookFails:
		return "its preference adds CPU features, and KubeVirt's webhook fails for such a machine without a CPU of its own"
	case NoFirmware:
		return fmt.Sprintf("virt-launcher has no firmware for %s on %s", r.Value, architecture)
	case NoCPUModel:
		return fmt.Sprintf("no node of %s has the label of the CPU model %q", architecture, r.Value)
	case NoCPUFeature:
		return fmt.Sprintf("nodes of %s have no labels of CPU features, and the machine requires %q", architecture, r.Value)
	case NoHyperv:
		return fmt.Sprintf("no node of %s has the labels of Hyper-V features, which the feature gate HypervStrictCheck asks for", architecture)
	case RequiredArchitecture:
		return fmt.Sprintf("the preference requires the architecture %q, and the machine has %q", r.Value, architecture)
	case GateOff:
		return fmt.Sprintf("the feature gate MultiArchitecture is off, and the architecture %q is not that of KubeVirt's own nodes", architecture)
	case MachineTypeWrong:
		return fmt.Sprintf("the machine type %q does not exist on %s", r.Value, architecture)
	case MachineTypeUnstated:
		return fmt.Sprintf("the machine type %q does not exist on amd64, whose types count where no architecture is stated", r.Value)
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

// refused is what the validating webhooks of all kinds refuse (validating-webhook/admitters/
// vmi-create-admitter.go: ValidateVirtualMachineInstanceSpec, validateArchitecture).
func (c Cluster) refused(s InstanceSpec) []Refusal {
	out := c.wrongMachineType(s)
	domain, rules := s.Domain, c.Version.rules()
	or := cmp.Or(s.Architecture, c.Default)
	// validateCpuPinning calls validateThreadCountOnArchitecture
	if domain.CPU != nil && domain.CPU.Dedicated && domain.CPU.Threads > 1 && or == "arm64" {
		out = append(out, Refusal{Rule: ThreadsOnARM, Field: "domain.cpu.threads", Value: fmt.Sprint(domain.CPU.Threads)})
	}
	// validatePanicDevices
	if len(domain.Devices.PanicDevices) > 0 && (or == "s390x" || or == "ppc64le" && rules.ppc64le) {
		out = append(out, Refusal{Rule: PanicDevices, Field: "domain.devices.panicDevices"})
	}
	// validateLaunchSecurity
	if domain.LaunchSecurity != nil && rules.launchSecurity && s.Architecture != "amd64" && s.Architecture != "s390x" {
		out = append(out, Refusal{Rule: LaunchSecurity, Field: "domain.launchSecurity"})
	}
	// validateDomainSpec
	if domain.Firmware.EFI().IsSecure() && !domain.Features.SMM.IsOn() && !domain.isTDX() {
		out = append(out, Refusal{Rule: NoSMM, Field: "domain"})
	}
	// validateBusSupport
	for i, disk := range domain.Devices.Disks {
		if disk.Disk == nil && disk.LUN == nil && disk.CDRom != nil && disk.CDRom.Bus == "virtio" {
			out = append(out, Refusal{Rule: CDRomVirtio, Field: fmt.Sprintf("domain.devices.disks[%d].cdrom.bus", i)})
		}
	}
	// validateBootOrder
	for i, disk := range domain.Devices.Disks {
		if disk.LUN != nil && slices.ContainsFunc(s.Volumes, func(v Volume) bool { return v.Name == disk.Name && v.Claim == nil && v.DataVolume == nil }) {
			out = append(out, Refusal{Rule: LUNOfImage, Field: fmt.Sprintf("domain.devices.disks[%d].lun", i)})
		}
	}
	if rules.gate && !c.MultiArchitecture && s.Architecture != "" && s.Architecture != c.API {
		out = append(out, Refusal{Rule: GateOff, Field: architectureField, Value: s.Architecture})
	}
	return out
}

// wrongMachineType is validateEmulatedMachine.
func (c Cluster) wrongMachineType(s InstanceSpec) []Refusal {
	accepted, machine := c.EmulatedMachines, s.Domain.machineType()
	if accepted == nil {
		accepted = c.typesOf(s.Architecture).Accepted
	}
	if machine == "" || slices.ContainsFunc(accepted, func(pattern string) bool {
		ok, err := path.Match(pattern, machine)
		return err == nil && ok
	}) {
		return nil
	}
	rule := MachineTypeWrong
	if s.Architecture == "" && c.EmulatedMachines == nil {
		rule = MachineTypeUnstated
	}
	return []Refusal{{Rule: rule, Field: "domain.machine.type", Value: machine}}
}

// isTDX reports whether the machine is one of TDX, whose firmware needs no SMM.
func (d Domain) isTDX() bool {
	if d.LaunchSecurity == nil {
		return false
	}
	_, ok := (*d.LaunchSecurity)["tdx"]
	return ok
}

// refusedInstance is what the webhook refuses only when the instance is created
// (ValidateVirtualMachineInstancePerArch).
func (c Cluster) refusedInstance(s InstanceSpec) []Refusal {
	devices := s.Domain.Devices
	switch s.Architecture {
	case "amd64": // webhooks/amd64.go
		return append(watchdog(devices, devices.Watchdog.isOnlyI6300ESB()), video(devices, "vga", "cirrus", "virtio", "ramfb", "bochs")...)
	case "s390x": // webhooks/s390x.go
		return append(watchdog(devices, devices.Watchdog.isOnlyDiag288()), video(devices, "virtio")...)
	case "arm64":
		return s.refusedOnARM(c)
	case "ppc64le":
		if c.Version.rules().ppc64le { // webhooks/ppc64le.go
			return video(devices, "virtio", "bochs", "vga", "cirrus")
		}
	}
	return []Refusal{{Rule: Unsupported, Field: architectureField, Value: s.Architecture}}
}

// notStarted is what no webhook refuses: the instance finds no node with the labels that its pod asks
// for (virt-handler/node-labeller), or virt-launcher no firmware (virtwrap/efi, virtwrap/manager.go;
// hack/rpm-deps.sh says what each image has).
func (c Cluster) notStarted(s InstanceSpec) []Refusal {
	var out []Refusal
	efi, cpu, isARM := s.Domain.Firmware.EFI(), s.Domain.CPU, s.Architecture == "arm64"
	confidential := s.Domain.LaunchSecurity != nil
	switch {
	case efi != nil && s.Architecture != "amd64" && !isARM && !confidential:
		out = append(out, Refusal{Rule: NoFirmware, Field: "domain.firmware.bootloader", Value: "EFI"})
	case efi.IsSecure() && isARM && !confidential:
		out = append(out, Refusal{Rule: NoFirmware, Field: "domain.firmware.bootloader", Value: "secure boot"})
	}
	if cpu.NamesModel() && (s.Architecture == "s390x") != ofS390X().MatchString(cpu.Model) {
		out = append(out, Refusal{Rule: NoCPUModel, Field: "domain.cpu.model", Value: cpu.Model})
	}
	if i := slices.IndexFunc(cpu.Features, CPUFeature.IsRequired); i >= 0 && isARM {
		out = append(out, Refusal{Rule: NoCPUFeature, Field: "domain.cpu.features", Value: cpu.Features[i].Name})
	}
	if s.Architecture != "amd64" && slices.ContainsFunc(slices.Collect(maps.Keys(c.nodeSelector(s))), func(label string) bool {
		return strings.HasPrefix(label, hypervPrefix)
	}) {
		out = append(out, Refusal{Rule: NoHyperv, Field: "domain.features.hyperv"})
	}
	return out
}

// ofS390X matches the CPU models of s390x, as QEMU names them.
var ofS390X = pattern.Of(`^(z\d|zEC|zBC|gen\d|qemu$|max$)`)

// refusedOnARM is webhooks/arm64.go.
func (s InstanceSpec) refusedOnARM(c Cluster) []Refusal {
	var out []Refusal
	domain := s.Domain
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
