package kubevirt

import (
	"cmp"
	"maps"
	"slices"
	"strings"

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
	// Architecture and MachineType are what the webhooks store in the machine.
	Architecture, MachineType string
	By                        By
	// Source is the DataSource whose label decided.
	Source Key
	// Refused is why the webhooks refuse the machine when it is created. NeverStarts is why
	// they accept it and refuse its instance, so that it does not start.
	Refused, NeverStarts []Refusal
	// NodeSelector is that of the launcher pod, without the labels for CPU models and devices.
	NodeSelector map[string]string
}

// Decide returns what KubeVirt makes of a machine in a cluster.
func Decide(m Machine, c Cluster) Decision {
	var d Decision
	d.Architecture = m.Spec.Architecture
	d.MachineType = m.machineType()
	if m.Kind == VirtualMachine || m.Kind == Pool || m.Kind == "" {
		return m.decideVirtualMachine(d, c)
	}
	if m.Kind == ReplicaSet { // no mutator: the empty fields are checked as they are
		d.Refused = m.refusedSpec(d, c)
	}
	// vmi-mutator.go: the defaults of an instance
	d.applyDefault(c)
	refused := append(m.refusedSpec(d, c), m.neverStarts(d, c)...)
	if m.Kind == Instance {
		d.Refused = refused
	} else if len(d.Refused) == 0 {
		d.NeverStarts = refused
	}
	d.NodeSelector = m.nodeSelector(d, c)
	return d
}

// decideVirtualMachine follows the mutating webhook of VirtualMachines, in its order (pkg/
// virt-api/webhooks/mutating-webhook/mutators/vm-mutator.go: Mutate). A VirtualMachinePool has
// no mutator. Its admission sees the empty fields, and each of its machines goes through the
// webhook of VirtualMachines.
func (m Machine) decideVirtualMachine(d Decision, c Cluster) Decision {
	rules := c.Version.rules()
	if m.Kind == Pool {
		d.Refused = m.refusedSpec(d, c)
	}
	if d.Architecture != "" {
		d.By = ByMachine
	}
	if p := m.Preference; p != nil {
		// pkg/instancetype/webhooks/vm/mutator.go: mutateArch, mutateMachineType
		if d.Architecture == "" && rules.preferred && p.Architecture != "" {
			d.Architecture, d.By = p.Architecture, ByPreference
		}
		if d.MachineType == "" {
			d.MachineType = p.MachineType
		}
	}
	if d.Architecture == "" && rules.fromDataSource {
		d.fromDataSource(m, c)
	}
	d.applyDefault(c)
	refused := m.refusedSpec(d, c)
	if p := m.Preference; p != nil && rules.preferred && p.Required != "" && p.Required != d.Architecture {
		refused = append(refused, Refusal{Rule: RequiredArchitecture, Field: "architecture", Value: p.Required})
	}
	switch {
	case m.Kind != Pool:
		d.Refused = refused
	case len(d.Refused) == 0:
		d.NeverStarts = refused // the pool exists, and none of its machines
	}
	if len(refused) == 0 {
		d.NeverStarts = append(d.NeverStarts, m.neverStarts(d, c)...)
	}
	d.NodeSelector = m.nodeSelector(d, c)
	return d
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
			d.Architecture, d.By, d.Source = source.Label, ByDataSource, at
			return
		}
	}
}

// Architectures are those of machines that every version knows: a DataSource may state them
// (setDefaultArchitectureFromDataSource), and the webhook accepts them
// (ValidateVirtualMachineInstancePerArch).
var Architectures = []string{"amd64", "arm64", "s390x"}

// applyDefault takes the defaults of the cluster (setDefaultArchitecture).
func (d *Decision) applyDefault(c Cluster) {
	switch {
	case d.Architecture == "":
		d.Architecture, d.By = c.Default, ByDefault
	case d.By == "":
		d.By = ByMachine
	}
	if d.MachineType == "" {
		d.MachineType = c.machineType(d.Architecture)
	}
}

func (m Machine) machineType() string {
	if m.Spec.Domain.Machine == nil {
		return ""
	}
	return m.Spec.Domain.Machine.Type
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

const (
	schedulableLabel  = "kubevirt.io/schedulable"
	machineTypePrefix = "machine-type.node.kubevirt.io/"
	vmArchPrefix      = "kubevirt.io/vm-arch-"
)

// nodeSelector returns the node selector of the launcher pod. That of the cluster and that of
// the machine overwrite the architecture. With the feature gate
// CrossArchitectureVirtualization, the architecture is removed, whoever wrote it
// (pkg/virt-controller/services/nodeselectorrenderer.go).
func (m Machine) nodeSelector(d Decision, c Cluster) map[string]string {
	out := map[string]string{schedulableLabel: "true"}
	if d.Architecture != "" {
		out[arch.Label] = strings.ToLower(d.Architecture)
	}
	maps.Copy(out, c.NodeSelectors)
	maps.Copy(out, m.Spec.NodeSelector)
	if c.CrossArchitecture && c.Version.CrossesArchitectures() && d.Architecture != "" {
		delete(out, arch.Label)
		out[vmArchPrefix+d.Architecture] = "true"
	}
	if d.MachineType != "" {
		out[machineTypePrefix+d.MachineType] = "true"
	}
	return out
}
