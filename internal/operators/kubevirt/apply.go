package kubevirt

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Instancetype is a part of VirtualMachineInstancetypeSpec: what conflicts with a machine, or counts
// for an architecture.
type Instancetype struct {
	NodeSelector  map[string]string `json:"nodeSelector,omitzero"`
	SchedulerName string            `json:"schedulerName,omitzero"`
	CPU           struct {
		Guest     uint32  `json:"guest"`
		Model     *string `json:"model,omitzero"`
		Dedicated *bool   `json:"dedicatedCPUPlacement,omitzero"`
		Isolated  *bool   `json:"isolateEmulatorThread,omitzero"`
		NUMA      any     `json:"numa,omitzero"`
		Realtime  any     `json:"realtime,omitzero"`
	} `json:"cpu"`
	Memory struct {
		Guest     resource.Quantity  `json:"guest"`
		Hugepages *Hugepages         `json:"hugepages,omitzero"`
		MaxGuest  *resource.Quantity `json:"maxGuest,omitzero"`
	} `json:"memory"`
	IOThreads       *IOThreads      `json:"ioThreads,omitzero"`
	IOThreadsPolicy any             `json:"ioThreadsPolicy,omitzero"`
	LaunchSecurity  *map[string]any `json:"launchSecurity,omitzero"`
	GPUs            []any           `json:"gpus,omitzero"`
	HostDevices     []any           `json:"hostDevices,omitzero"`
}

// Preference is a part of VirtualMachinePreferenceSpec: what counts for an architecture, and what
// refuses a machine.
type Preference struct {
	Architecture   string             `json:"preferredArchitecture,omitzero"`
	Requirements   Requirements       `json:"requirements,omitzero"`
	CPU            PreferredCPU       `json:"cpu,omitzero"`
	SpreadRatio    uint32             `json:"preferSpreadSocketToCoreRatio,omitzero"`
	Machine        PreferredMachine   `json:"machine,omitzero"`
	Firmware       *PreferredFirmware `json:"firmware,omitzero"`
	Devices        PreferredDevices   `json:"devices,omitzero"`
	Features       PreferredFeatures  `json:"features,omitzero"`
	LaunchSecurity *map[string]any    `json:"preferredLaunchSecurity,omitzero"`
}

// Requirements is PreferenceRequirements.
type Requirements struct {
	Architecture string `json:"architecture,omitzero"`
	CPU          *struct {
		Guest uint32 `json:"guest"`
	} `json:"cpu,omitzero"`
	Memory *struct {
		Guest resource.Quantity `json:"guest"`
	} `json:"memory,omitzero"`
}

// PreferredCPU is a part of CPUPreferences.
type PreferredCPU struct {
	Topology string `json:"preferredCPUTopology,omitzero"`
	Spread   struct {
		Across string `json:"across,omitzero"`
		Ratio  uint32 `json:"ratio,omitzero"`
	} `json:"spreadOptions,omitzero"`
	Features []CPUFeature `json:"preferredCPUFeatures,omitzero"`
}

// PreferredMachine is MachinePreferences.
type PreferredMachine struct {
	Type string `json:"preferredMachineType,omitzero"`
}

// PreferredFirmware is a part of FirmwarePreferences.
type PreferredFirmware struct {
	BIOS       bool  `json:"preferredUseBios,omitzero"`
	EFI        *EFI  `json:"preferredEfi,omitzero"`
	UseEFI     bool  `json:"preferredUseEfi,omitzero"`
	SecureBoot *bool `json:"preferredUseSecureBoot,omitzero"`
}

// PreferredDevices is a part of DevicePreferences.
type PreferredDevices struct {
	DiskBus    string    `json:"preferredDiskBus,omitzero"`
	CDRomBus   string    `json:"preferredCdromBus,omitzero"`
	LUNBus     string    `json:"preferredLunBus,omitzero"`
	VideoType  *string   `json:"preferredVideoType,omitzero"`
	PanicModel *string   `json:"preferredPanicDeviceModel,omitzero"`
	TPM        *struct{} `json:"preferredTPM,omitzero"`
}

// PreferredFeatures is a part of FeaturePreferences.
type PreferredFeatures struct {
	SMM    *FeatureState            `json:"preferredSmm,omitzero"`
	Hyperv map[string]*FeatureState `json:"preferredHyperv,omitzero"`
}

// conflicts returns the fields of a machine that its instancetype sets, too (pkg/instancetype/apply).
func (i *Instancetype) conflicts(s InstanceSpec, v Version) []string {
	var cpu CPU
	var memory Memory
	var threads IOThreads
	d := s.Domain
	if d.CPU != nil {
		cpu = *d.CPU
	}
	if d.Memory != nil {
		memory = *d.Memory
	}
	if d.IOThreads != nil {
		threads = *d.IOThreads
	}
	_, requestsCPU := d.Resources.Requests["cpu"]
	_, limitsCPU := d.Resources.Limits["cpu"]
	_, requestsMemory := d.Resources.Requests["memory"]
	_, limitsMemory := d.Resources.Limits["memory"]
	memoryFields := []conflict{
		{"domain.memory", d.Memory != nil && !v.rules().mergesMemory},
		{"domain.memory.guest", memory.Guest != nil},
		{"domain.memory.hugepages", memory.Hugepages != nil && i.Memory.Hugepages != nil},
		{"domain.memory.maxGuest", memory.MaxGuest != nil && i.Memory.MaxGuest != nil},
		{"domain.resources.requests.memory", requestsMemory},
		{"domain.resources.limits.memory", limitsMemory},
	}
	list := []conflict{
		{"nodeSelector", s.NodeSelector != nil && i.NodeSelector != nil},
		{"schedulerName", s.SchedulerName != "" && i.SchedulerName != ""},
		{"domain.resources.requests.cpu", requestsCPU},
		{"domain.resources.limits.cpu", limitsCPU},
		{"domain.cpu.sockets", cpu.Sockets != 0},
		{"domain.cpu.cores", cpu.Cores != 0},
		{"domain.cpu.threads", cpu.Threads != 0},
		{"domain.cpu.model", cpu.Model != "" && i.CPU.Model != nil},
		{"domain.cpu.dedicatedCPUPlacement", cpu.Dedicated && i.CPU.Dedicated != nil},
		{"domain.cpu.isolateEmulatorThread", cpu.Isolated && i.CPU.Isolated != nil},
		{"domain.cpu.numa", cpu.NUMA != nil && i.CPU.NUMA != nil},
		{"domain.cpu.realtime", cpu.Realtime != nil && i.CPU.Realtime != nil},
		{"domain.ioThreads.supplementalPoolThreadCount", threads.Count != nil && i.IOThreads != nil && i.IOThreads.Count != nil && v.rules().mergesMemory},
		{"domain.ioThreadsPolicy", d.IOThreadsPolicy != nil && i.IOThreadsPolicy != nil},
		{"domain.launchSecurity", d.LaunchSecurity != nil && i.LaunchSecurity != nil},
		{"domain.devices.gpus", len(d.Devices.GPUs) > 0 && len(i.GPUs) > 0},
		{"domain.devices.hostDevices", len(d.Devices.HostDevices) > 0 && len(i.HostDevices) > 0},
	}
	if first := slices.IndexFunc(memoryFields, func(c conflict) bool { return c.has }); first >= 0 {
		list = append(list, memoryFields[first])
	}
	var out []string
	for _, one := range list {
		if one.has {
			out = append(out, one.field)
		}
	}
	return out
}

// conflict is a field that an instancetype sets, and whether the machine has it.
type conflict struct {
	field string
	has   bool
}

// apply sets what an instancetype says, and the topology that a preference asks for.
func (i *Instancetype) apply(s *InstanceSpec, p *Preference) {
	if i.NodeSelector != nil {
		s.NodeSelector = i.NodeSelector
	}
	var cpu CPU
	if s.Domain.CPU != nil {
		cpu = *s.Domain.CPU
	}
	if i.CPU.Model != nil {
		cpu.Model = *i.CPU.Model
	}
	if i.CPU.Dedicated != nil {
		cpu.Dedicated = *i.CPU.Dedicated
	}
	cpu.Sockets, cpu.Cores, cpu.Threads = i.CPU.Guest, 1, 1
	if p != nil && i.CPU.Guest != 1 {
		cpu.Sockets, cpu.Cores, cpu.Threads = p.topology(i.CPU.Guest)
	}
	var memory Memory
	if s.Domain.Memory != nil {
		memory = *s.Domain.Memory
	}
	memory.Guest = &i.Memory.Guest
	s.Domain.CPU, s.Domain.Memory = &cpu, &memory
	if i.LaunchSecurity != nil {
		s.Domain.LaunchSecurity = i.LaunchSecurity
	}
}

// The topologies of a preference. Each has a name from before, too.
var (
	asCores   = []string{"cores", "preferCores"}
	asThreads = []string{"threads", "preferThreads"}
	asSpread  = []string{"spread", "preferSpread"}
	asAny     = []string{"any", "preferAny"}
)

const (
	socketsCores        = "SocketsCores"
	coresThreads        = "CoresThreads"
	socketsCoresThreads = "SocketsCoresThreads"
	threadsOfCore       = 2
)

// spread returns how a preference spreads CPUs (preference/apply/cpu.go: GetSpreadOptions).
func (p *Preference) spread() (uint32, string) {
	ratio, across := uint32(2), socketsCores
	for _, r := range []uint32{p.SpreadRatio, p.CPU.Spread.Ratio} {
		if r != 0 {
			ratio = r
		}
	}
	if p.CPU.Spread.Across != "" {
		across = p.CPU.Spread.Across
	}
	return ratio, across
}

// topology returns the sockets, cores and threads of a number of CPUs.
func (p *Preference) topology(n uint32) (uint32, uint32, uint32) {
	switch topology := p.CPU.Topology; {
	case slices.Contains(asCores, topology):
		return 1, n, 1
	case slices.Contains(asThreads, topology):
		return 1, 1, n
	case slices.Contains(asSpread, topology):
		switch ratio, across := p.spread(); across {
		case socketsCores:
			return n / ratio, ratio, 1
		case coresThreads:
			return 1, n / ratio, ratio
		default:
			return n / threadsOfCore / ratio, ratio, threadsOfCore
		}
	}
	return n, 1, 1
}

// divides reports whether the CPUs of an instancetype can be spread as a preference asks (preference/
// validation/cpu.go: CheckSpreadCPUTopology).
func (p *Preference) divides(i *Instancetype) bool {
	if p == nil || i == nil || !slices.Contains(asSpread, p.CPU.Topology) {
		return true
	}
	ratio, across := p.spread()
	if n := i.CPU.Guest; across == socketsCoresThreads {
		return n%threadsOfCore == 0 && n/threadsOfCore%ratio == 0
	}
	return i.CPU.Guest%ratio == 0
}

// apply sets what a preference says and the machine does not (pkg/instancetype/preference/apply).
func (p *Preference) apply(s *InstanceSpec, v Version) {
	if len(p.CPU.Features) > 0 {
		var cpu CPU
		if s.Domain.CPU != nil {
			cpu = *s.Domain.CPU
		}
		own := cpu.Features
		for _, f := range p.CPU.Features {
			if !slices.ContainsFunc(own, func(o CPUFeature) bool { return o.Name == f.Name }) {
				cpu.Features = append(slices.Clip(cpu.Features), f)
			}
		}
		s.Domain.CPU = &cpu
	}
	p.Devices.apply(&s.Domain.Devices, v)
	p.Features.apply(&s.Domain.Features)
	if p.Firmware != nil {
		s.Domain.Firmware = p.Firmware.apply(s.Domain.Firmware)
	}
	if p.LaunchSecurity != nil && s.Domain.LaunchSecurity == nil && v.rules().prefersDevices {
		s.Domain.LaunchSecurity = p.LaunchSecurity
	}
}

func (p PreferredDevices) apply(d *Devices, v Version) {
	d.Disks = p.disks(d.Disks)
	if d.TPM == nil {
		d.TPM = p.TPM
	}
	if !v.rules().prefersDevices {
		return
	}
	if p.VideoType != nil && (d.Video == nil || d.Video.Type == "") {
		d.Video = &Video{Type: *p.VideoType}
	}
	if p.PanicModel != nil && len(d.PanicDevices) == 0 {
		d.PanicDevices = []map[string]any{{"model": *p.PanicModel}}
	}
}

// disks returns disks with a bus for those that state none.
func (p PreferredDevices) disks(list []Disk) []Disk {
	out := slices.Clone(list)
	for i := range out {
		disk := &out[i]
		switch {
		case disk.Disk == nil && disk.CDRom == nil && disk.LUN == nil:
			disk.Disk = &Target{Bus: p.DiskBus}
		case disk.Disk != nil:
			disk.Disk = disk.Disk.or(p.DiskBus)
		case disk.CDRom != nil:
			disk.CDRom = disk.CDRom.or(p.CDRomBus)
		default:
			disk.LUN = disk.LUN.or(p.LUNBus)
		}
	}
	return out
}

// or returns the target with a bus if it has none.
func (t *Target) or(bus string) *Target {
	if t.Bus != "" {
		return t
	}
	return &Target{Bus: bus}
}

func (p PreferredFeatures) apply(f *Features) {
	if f.SMM == nil {
		f.SMM = p.SMM
	}
	if len(p.Hyperv) > 0 {
		f.Hyperv = with(p.Hyperv, f.Hyperv)
	}
}

func (p PreferredFirmware) apply(own *Firmware) *Firmware {
	out := &Firmware{}
	if own != nil {
		*out = *own
	}
	boot := &Bootloader{}
	if out.Bootloader != nil {
		*boot = *out.Bootloader
	}
	out.Bootloader = boot
	if p.BIOS && boot.BIOS == nil && boot.EFI == nil {
		boot.BIOS = &struct{}{}
	}
	switch {
	case boot.EFI == nil && boot.BIOS == nil && p.EFI != nil:
		boot.EFI = p.EFI
		return out
	case boot.EFI == nil && boot.BIOS == nil && p.UseEFI:
		boot.EFI = &EFI{}
	}
	if p.SecureBoot != nil && boot.EFI != nil && boot.EFI.SecureBoot == nil {
		boot.EFI = &EFI{SecureBoot: p.SecureBoot}
	}
	return out
}

// lacks returns the requirement of a preference that a machine does not meet, as the field that says
// so; "" if it meets them all (pkg/instancetype/preference/requirements).
func (p *Preference) lacks(s InstanceSpec, i *Instancetype, v Version) string {
	if p.Requirements.CPU != nil && p.cpus(s, i) < p.Requirements.CPU.Guest {
		return "domain.cpu"
	}
	if need := p.Requirements.Memory; need != nil {
		var has resource.Quantity
		if s.Domain.Memory != nil && s.Domain.Memory.Guest != nil {
			has = *s.Domain.Memory.Guest
		}
		if has.Cmp(need.Guest) < 0 {
			return "domain.memory"
		}
	}
	if a := p.Requirements.Architecture; a != "" && v.rules().preferred && a != s.Architecture {
		return architectureField
	}
	return ""
}

const architectureField = "architecture"

// cpus returns the number of CPUs of a machine as its preference counts them.
func (p *Preference) cpus(s InstanceSpec, i *Instancetype) uint32 {
	if i != nil {
		return i.CPU.Guest
	}
	cpu, topology := *s.Domain.CPU, p.CPU.Topology
	switch {
	case slices.Contains(asThreads, topology):
		return cpu.Threads
	case slices.Contains(asCores, topology):
		return cpu.Cores
	case slices.Contains(asAny, topology):
		return cpu.Sockets * cpu.Cores * cpu.Threads
	case slices.Contains(asSpread, topology):
		switch _, across := p.spread(); across {
		case socketsCores:
			return cpu.Sockets * cpu.Cores
		case coresThreads:
			return cpu.Cores * cpu.Threads
		}
		return cpu.Sockets * cpu.Cores * cpu.Threads
	}
	return cpu.Sockets
}
