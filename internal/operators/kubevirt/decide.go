package kubevirt

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// ArchitectureLabel is the label of a DataSource that names the architecture of its image.
const ArchitectureLabel = "template.kubevirt.io/architecture"

// By says what decides the architecture of a machine.
type By string

// What decides.
const (
	ByMachine    By = "machine"    // spec.template.spec.architecture
	ByPreference By = "preference" // spec.preferredArchitecture
	ByDataSource By = "dataSource" // the label of a DataSource
	ByDefault    By = "default"    // status.defaultArchitecture of KubeVirt
)

// Decision is what KubeVirt makes of a machine.
type Decision struct {
	// Architecture and MachineType are what the webhooks store in the machine. Architecture is "" if a
	// preference that only the cluster shows may state one.
	Architecture, MachineType string
	By                        By
	// Source is the DataSource whose label decided.
	Source Key
	// Preference and Instancetype say whether those of the machine are known, and Uses is the name of the
	// preference.
	Preference, Instancetype Named
	Uses                     string
	// Refused is why the webhooks refuse the machine when it is created. NeverStarts is why
	// they accept it and refuse its instance, or why the instance finds no node or no firmware.
	Refused, NeverStarts []Refusal
	// Instance is the spec of the instance, with its instancetype, its preference and the defaults.
	Instance InstanceSpec
	// NodeSelector is that of the launcher pod, without the labels of devices.
	NodeSelector map[string]string
	// Unmodelled is what may refuse the machine besides.
	Unmodelled []Unmodelled
}

// Decide returns what KubeVirt makes of a machine in a cluster: it finds the instancetype and the
// preference, stores the architecture, applies them to the instance, sets its defaults, and runs the
// validators of the architecture. The instance then needs a node and firmware.
func Decide(m Machine, c Cluster) Decision {
	d := Decision{Instance: m.Spec}
	switch m.Kind {
	case Instance:
		if d.start(c); !slices.ContainsFunc(d.NeverStarts, Refusal.AfterWebhooks) {
			d.Refused, d.NeverStarts = d.NeverStarts, nil
		}
	case ReplicaSet: // no mutator: the empty fields are checked as they are
		d.Refused = c.refused(m.Spec)
		if d.start(c); len(d.Refused) > 0 {
			d.NeverStarts = nil
		}
	case Pool: // no mutator either, and each of its machines goes through the webhook of VirtualMachines
		refused := c.refused(m.Spec)
		d.decideVirtualMachine(m, c)
		d.NeverStarts = append(d.Refused, d.NeverStarts...)
		if d.Refused = refused; len(refused) > 0 {
			d.NeverStarts = nil
		}
	default:
		d.decideVirtualMachine(m, c)
	}
	d.Architecture, d.MachineType = d.Instance.Architecture, d.Instance.Domain.machineType()
	d.NodeSelector, d.Unmodelled = c.nodeSelector(d.Instance), d.unmodelled(c)
	if d.Preference == Unsure && m.Spec.Architecture == "" && c.Version.rules().preferred {
		d.Architecture, d.By = "", ""
	}
	return d
}

// decideVirtualMachine follows the webhooks of VirtualMachines and the controller, in their order
// (vm-mutator.go: Mutate; vms-admitter.go: Admit; watch/vm/vm.go: startVMI).
func (d *Decision) decideVirtualMachine(m Machine, c Cluster) {
	var p *Preference
	var i *Instancetype
	p, d.Preference, d.Uses = c.findPreference(m)
	i, d.Instancetype = c.findInstancetype(m)
	if ref := m.Instancetype; ref != nil && ref.InferFromVolume != "" && ref.FailurePolicy == ignore && d.Instancetype != NotNamed {
		d.Instance.Domain.Memory = nil // that of the instancetype counts (pkg/instancetype/infer/handler.go: Instancetype)
	}
	d.store(m, c, p)
	if d.Refused = d.apply(p, i, c); len(d.Refused) > 0 {
		return
	}
	if d.Preference == Missing || d.Instancetype == Missing {
		d.NeverStarts = []Refusal{{Rule: NotFound}}
		return
	}
	d.start(c)
}

// store sets the architecture and the machine type as the mutating webhook stores them.
func (d *Decision) store(m Machine, c Cluster, p *Preference) {
	s := &d.Instance
	if s.Architecture != "" {
		d.By = ByMachine
	}
	if p != nil {
		// pkg/instancetype/webhooks/vm/mutator.go: mutateArch, mutateMachineType
		if s.Architecture == "" && c.Version.rules().preferred && p.Architecture != "" {
			s.Architecture, d.By = p.Architecture, ByPreference
		}
		if s.Domain.machineType() == "" && p.Machine.Type != "" {
			s.Domain.Machine = &MachineType{Type: p.Machine.Type}
		}
	}
	if s.Architecture == "" && c.Version.rules().fromDataSource {
		d.fromDataSource(m, c)
	}
	d.setDefaults(c)
}

// apply applies the instancetype and the preference to the instance, and returns why the validating
// webhook refuses the machine. A preference that only the cluster shows may turn on SMM.
func (d *Decision) apply(p *Preference, i *Instancetype, c Cluster) []Refusal {
	s := &d.Instance
	switch {
	case d.Preference == Wrong || d.Instancetype == Wrong:
		return []Refusal{{Rule: ReferenceWrong}}
	case p != nil && len(p.CPU.Features) > 0 && i == nil && s.Domain.CPU == nil && d.Instancetype == NotNamed:
		return []Refusal{{Rule: WebhookFails, Field: "domain.cpu"}} // preference/apply/cpu.go: applyCPUPreferences
	case !p.divides(i):
		return []Refusal{{Rule: CPUsDivided, Value: strconv.FormatUint(uint64(i.CPU.Guest), 10)}}
	}
	if i != nil {
		var out []Refusal
		for _, field := range i.conflicts(*s, c.Version) {
			out = append(out, Refusal{Rule: Conflict, Field: field})
		}
		if len(out) > 0 {
			return out
		}
		i.apply(s, p)
	}
	s.addDisks()
	if p != nil {
		p.apply(s, c.Version)
	}
	s.setTopology()
	if p != nil {
		if field := p.lacks(*s, i, c.Version); field == architectureField {
			return []Refusal{{Rule: RequiredArchitecture, Field: field, Value: p.Requirements.Architecture}}
		} else if field != "" && d.Instancetype != Unsure { // one that only the cluster shows may have it
			return []Refusal{{Rule: RequiredSize, Field: field}}
		}
	}
	return slices.DeleteFunc(c.refused(*s), func(r Refusal) bool { return r.Rule == NoSMM && d.Preference == Unsure })
}

// start sets the defaults of the instance, and notes why it never starts.
func (d *Decision) start(c Cluster) {
	s := &d.Instance
	d.setDefaults(c)
	s.addDisks()
	s.setTopology()
	s.setDefaults(c)
	if d.NeverStarts = append(c.refused(*s), c.refusedInstance(*s)...); len(d.NeverStarts) == 0 {
		d.NeverStarts = c.notStarted(*s)
	}
}

// fromDataSource takes the architecture from the first usable label of a DataSource that a
// dataVolumeTemplate names. It follows one reference, and only the label of its target counts.
// A missing DataSource is ignored (pkg/defaults/defaults.go:
// setDefaultArchitectureFromDataSource).
func (d *Decision) fromDataSource(m Machine, c Cluster) {
	for _, template := range m.DataVolumeTemplates {
		ref := template.Spec.SourceRef
		if ref == nil || !strings.EqualFold(ref.Kind, "datasource") {
			continue
		}
		at := ref.Key(m.Namespace)
		source, exists := c.DataSources[at]
		if exists && source.Reference != nil {
			at = *source.Reference // an empty namespace stays empty, and nothing is found there
			source, exists = c.DataSources[at]
		}
		if !exists {
			continue
		}
		if slices.Contains(Architectures, source.Label) {
			d.Instance.Architecture, d.By, d.Source = source.Label, ByDataSource, at
			return
		}
	}
}

// Architectures are those of machines that every version knows: a DataSource may state them
// (setDefaultArchitectureFromDataSource), and the webhook accepts them
// (ValidateVirtualMachineInstancePerArch).
var Architectures = []string{"amd64", "arm64", "s390x"}

// setDefaults sets the architecture and the machine type of the cluster (setDefaultArchitecture,
// setDefaultMachineType).
func (d *Decision) setDefaults(c Cluster) {
	s := &d.Instance
	switch {
	case s.Architecture == "":
		s.Architecture, d.By = c.Default, ByDefault
	case d.By == "":
		d.By = ByMachine
	}
	if s.Domain.machineType() == "" {
		s.Domain.Machine = &MachineType{Type: c.machineType(s.Architecture)}
	}
}

func (d Domain) machineType() string {
	if d.Machine == nil {
		return ""
	}
	return d.Machine.Type
}

// addDisks adds a disk for each volume that has none (pkg/util: SetDefaultVolumeDisk).
func (s *InstanceSpec) addDisks() {
	d := &s.Domain.Devices
	for _, v := range s.Volumes {
		if !slices.ContainsFunc(d.Disks, func(d Disk) bool { return d.Name == v.Name }) &&
			!slices.ContainsFunc(d.Filesystems, func(f Filesystem) bool { return f.Name == v.Name }) {
			d.Disks = append(slices.Clip(d.Disks), Disk{Name: v.Name, Disk: &Target{}})
		}
	}
}

// setTopology sets the CPUs and the memory that a machine does not state (SetDefaultGuestCPUTopology,
// setGuestMemory).
func (s *InstanceSpec) setTopology() {
	var cpu CPU
	if s.Domain.CPU != nil {
		cpu = *s.Domain.CPU
	}
	r := s.Domain.Resources
	if cpu.Sockets == 0 && cpu.Cores == 0 && cpu.Threads == 0 {
		cpu.Sockets, cpu.Cores, cpu.Threads = 1, 1, 1
		if q, ok := r.Limits[corev1.ResourceCPU]; ok {
			cpu.Sockets = uint32(q.Value()) //nolint:gosec // as KubeVirt does
		} else if q, ok := r.Requests[corev1.ResourceCPU]; ok {
			cpu.Sockets = uint32(q.Value()) //nolint:gosec // as KubeVirt does
		}
	}
	var memory Memory
	if s.Domain.Memory != nil {
		memory = *s.Domain.Memory
	}
	if memory.Guest == nil {
		switch requested, limit := r.Requests[corev1.ResourceMemory], r.Limits[corev1.ResourceMemory]; {
		case !requested.IsZero():
			memory.Guest = &requested
		case !limit.IsZero():
			memory.Guest = &limit
		case memory.Hugepages != nil:
			if size, err := resource.ParseQuantity(memory.Hugepages.PageSize); err == nil {
				memory.Guest = &size
			}
		}
	}
	s.Domain.CPU, s.Domain.Memory = &cpu, &memory
}

// setDefaults sets what the mutating webhook of instances sets for an architecture (pkg/defaults).
func (s *InstanceSpec) setDefaults(c Cluster) {
	const hostModel, hostPassthrough = "host-model", "host-passthrough"
	cpu, devices := *s.Domain.CPU, &s.Domain.Devices
	var watchdog Watchdog
	if devices.Watchdog != nil {
		watchdog = *devices.Watchdog
	}
	bus := "virtio"
	switch s.Architecture {
	case "arm64":
		cpu.Model = cmp.Or(cpu.Model, hostPassthrough)
		s.Domain.Firmware = s.Domain.Firmware.onARM(c.Version)
	case "s390x":
		watchdog.Diag288 = &struct{}{}
	default:
		bus, watchdog.I6300ESB = "sata", &struct{}{}
	}
	devices.Disks = PreferredDevices{DiskBus: bus, CDRomBus: bus, LUNBus: bus}.disks(devices.Disks)
	if devices.Watchdog != nil {
		devices.Watchdog = &watchdog
	}
	cpu.Model = cmp.Or(cpu.Model, c.CPUModel, hostModel)
	s.Domain.CPU = &cpu
}

// onARM returns the firmware with the defaults of arm64 (setDefaultArm64Bootloader).
func (f *Firmware) onARM(v Version) *Firmware {
	out := &Firmware{}
	if f != nil {
		*out = *f
	}
	off := false
	switch {
	case out.Bootloader == nil:
		out.Bootloader = &Bootloader{EFI: &EFI{SecureBoot: &off}}
	case out.Bootloader.EFI != nil && out.Bootloader.EFI.SecureBoot == nil && v.rules().insecureOnARM:
		out.Bootloader = &Bootloader{BIOS: out.Bootloader.BIOS, EFI: &EFI{SecureBoot: &off}}
	}
	return out
}

// machineType returns the machine type of an architecture (pkg/virt-config/virt-config.go:
// GetMachineType).
func (c Cluster) machineType(architecture string) string {
	return cmp.Or(c.MachineType, c.typesOf(architecture).Standard)
}

// standardTypes are the machine types of each architecture (pkg/virt-config/virt-config.go).
var standardTypes = map[string]MachineTypes{
	"amd64": {"q35", []string{"q35*", "pc-q35*"}}, "arm64": {"virt", []string{"virt*"}}, "s390x": {"s390-ccw-virtio", []string{"s390-ccw-virtio*"}},
	"ppc64le": {"pseries", []string{"pseries*"}},
}

// typesOf returns the machine types of an architecture. One that KubeVirt does not know has
// those of amd64 (GetMachineType, GetEmulatedMachines).
func (c Cluster) typesOf(architecture string) MachineTypes {
	out, known := standardTypes[architecture]
	if !known || architecture == "ppc64le" && !c.Version.rules().ppc64le {
		architecture = "amd64"
		out = standardTypes[architecture]
	}
	stated := c.Types[architecture]
	out.Standard = cmp.Or(stated.Standard, out.Standard)
	if stated.Accepted != nil {
		out.Accepted = stated.Accepted
	}
	return out
}

// SchedulableLabel is the label of the nodes that virt-handler runs on.
const SchedulableLabel = "kubevirt.io/schedulable"

const (
	machineTypePrefix = "machine-type.node.kubevirt.io/"
	vmArchPrefix      = "kubevirt.io/vm-arch-"
)

// The prefixes of the labels that nodes get from what their libvirt can do.
const (
	cpuModelPrefix   = "cpu-model.node.kubevirt.io/"
	cpuFeaturePrefix = "cpu-feature.node.kubevirt.io/"
	hypervPrefix     = "hyperv.node.kubevirt.io/"
)

// nodeSelector returns the node selector of the launcher pod. That of the cluster and that of
// the machine overwrite the architecture. With the feature gate
// CrossArchitectureVirtualization, the architecture is removed, whoever wrote it
// (pkg/virt-controller/services/nodeselectorrenderer.go).
func (c Cluster) nodeSelector(s InstanceSpec) map[string]string {
	out := map[string]string{SchedulableLabel: "true"}
	if s.Architecture != "" {
		out[arch.Label] = strings.ToLower(s.Architecture)
	}
	maps.Copy(out, c.NodeSelectors)
	maps.Copy(out, s.NodeSelector)
	if c.CrossArchitecture && c.Version.CrossesArchitectures() && s.Architecture != "" {
		delete(out, arch.Label)
		out[vmArchPrefix+s.Architecture] = "true"
	}
	if t := s.Domain.machineType(); t != "" {
		out[machineTypePrefix+t] = "true"
	}
	if s.Domain.CPU.NamesModel() {
		out[cpuModelPrefix+s.Domain.CPU.Model] = "true"
	}
	if s.Domain.CPU != nil {
		for _, f := range s.Domain.CPU.Features {
			if f.IsRequired() {
				out[cpuFeaturePrefix+f.Name] = "true"
			}
		}
	}
	if c.HypervStrict {
		for name, state := range s.Domain.Features.Hyperv {
			if slices.Contains(hypervLabels, name) && state.IsOn() {
				out[hypervPrefix+name] = "true"
			}
		}
	}
	return out
}

// hypervLabels are the features of Hyper-V that have a label (makeHVFeatureLabelTable).
var hypervLabels = []string{"vpindex", "runtime", "reset", "synic", "synictimer", "frequencies", "reenlightenment", "tlbflush", "ipi"}
