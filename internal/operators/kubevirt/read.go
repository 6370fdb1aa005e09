package kubevirt

import (
	"fmt"
	"slices"

	kjson "sigs.k8s.io/json"
)

// unmarshal reads an object as the API server does: it drops a key that differs in its letters
// from that of the schema.
func unmarshal(data []byte, into any) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(data, into)
}

// Defaults are the instancetype and the preference that the labels of an object name for the
// machines of its volume, and the zero Matcher for none.
type Defaults struct{ Instancetype, Preference Matcher }

// DefaultsOf returns what labels name (pkg/instancetype/infer/volume.go: fromLabels).
func DefaultsOf(labels map[string]string) Defaults {
	const prefix = "instancetype.kubevirt.io/default-"
	of := func(what string) Matcher {
		if labels[prefix+what] == "" {
			return Matcher{}
		}
		return Matcher{Name: labels[prefix+what], Kind: labels[prefix+what+"-kind"]}
	}
	return Defaults{Instancetype: of("instancetype"), Preference: of("preference")}
}

// The feature gates of machines of other architectures: than virt-api's up to 1.7, and than that of their node.
const (
	MultiArchitectureGate = "MultiArchitecture"
	CrossArchitectureGate = "CrossArchitectureVirtualization"
)

// Configuration is what counts of a KubeVirt CR.
type Configuration struct {
	// Version is status.observedKubeVirtVersion, and zero if the CR does not have it.
	Version Version
	// Default is the default architecture: the webhooks read status.defaultArchitecture.
	Default string
	// MultiArchitecture, CrossArchitecture and HypervStrict say that the feature gates
	// MultiArchitecture, CrossArchitectureVirtualization and HypervStrictCheck are on.
	MultiArchitecture, CrossArchitecture, HypervStrict bool
	// FeatureGates are the names of all feature gates that are on. KubeVirt compares them exactly.
	FeatureGates []string
	// MachineType and EmulatedMachines are configuration.machineType and
	// configuration.emulatedMachines, which count for every architecture.
	MachineType      string
	EmulatedMachines []string
	// Types are configuration.architectureConfiguration.ARCHITECTURE, by architecture.
	Types map[string]MachineTypes
	// CPUModel is configuration.cpuModel, of machines that name none.
	CPUModel string
	// NodeSelectors are configuration.developerConfiguration.nodeSelectors.
	NodeSelectors map[string]string
}

// MachineTypes are the machine types of an architecture: the default, and patterns of the
// accepted ones.
type MachineTypes struct {
	Standard string   `json:"machineType"`
	Accepted []string `json:"emulatedMachines"`
}

// ReadConfiguration reads a KubeVirt CR.
func ReadConfiguration(data []byte) (Configuration, error) {
	var o struct {
		Spec struct {
			Configuration struct {
				ArchitectureConfiguration struct {
					DefaultArchitecture string       `json:"defaultArchitecture"`
					AMD64               MachineTypes `json:"amd64"`
					ARM64               MachineTypes `json:"arm64"`
					S390X               MachineTypes `json:"s390x"`
					PPC64LE             MachineTypes `json:"ppc64le"`
				} `json:"architectureConfiguration"`
				DeveloperConfiguration struct {
					FeatureGates  []string          `json:"featureGates"`
					NodeSelectors map[string]string `json:"nodeSelectors"`
				} `json:"developerConfiguration"`
				CPUModel         string   `json:"cpuModel"`
				MachineType      string   `json:"machineType"`
				EmulatedMachines []string `json:"emulatedMachines"`
			} `json:"configuration"`
		} `json:"spec"`
		Status struct {
			ObservedVersion     string `json:"observedKubeVirtVersion"`
			DefaultArchitecture string `json:"defaultArchitecture"`
		} `json:"status"`
	}
	if err := unmarshal(data, &o); err != nil {
		return Configuration{}, fmt.Errorf("read the KubeVirt CR: %w", err)
	}
	c := o.Spec.Configuration
	gates, of := c.DeveloperConfiguration.FeatureGates, c.ArchitectureConfiguration
	out := Configuration{
		Default: o.Status.DefaultArchitecture, MachineType: c.MachineType, EmulatedMachines: c.EmulatedMachines,
		MultiArchitecture: slices.Contains(gates, MultiArchitectureGate), CrossArchitecture: slices.Contains(gates, CrossArchitectureGate),
		HypervStrict:  slices.Contains(gates, "HypervStrictCheck"),
		Types:         map[string]MachineTypes{"amd64": of.AMD64, "arm64": of.ARM64, "s390x": of.S390X, "ppc64le": of.PPC64LE},
		NodeSelectors: c.DeveloperConfiguration.NodeSelectors, CPUModel: c.CPUModel, FeatureGates: gates,
	}
	// virt-operator copies the field of the spec to the status (pkg/virt-operator/util/config.go),
	// so it wins over a status from before.
	if of.DefaultArchitecture != "" {
		out.Default = of.DefaultArchitecture
	}
	out.Version, _ = ParseVersion(o.Status.ObservedVersion)
	return out, nil
}

// ReadSpec reads the spec of an instancetype or of a preference.
func ReadSpec[Spec Instancetype | Preference](data []byte) (Spec, error) {
	var o struct {
		Spec Spec `json:"spec"`
	}
	err := ReadFields(data, &o)
	return o.Spec, err
}

// ReadHead reads what every object has.
func ReadHead(data []byte) (Head, error) {
	var h Head
	if err := unmarshal(data, &h); err != nil {
		return h, fmt.Errorf("read the object: %w", err)
	}
	return h, nil
}

// ReadCron reads a DataImportCron of CDI.
func ReadCron(data []byte) (Cron, error) {
	var o struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Spec struct {
			ManagedDataSource string             `json:"managedDataSource"`
			Template          DataVolumeTemplate `json:"template"`
		} `json:"spec"`
	}
	if err := unmarshal(data, &o); err != nil {
		return Cron{}, fmt.Errorf("read the DataImportCron: %w", err)
	}
	labels := o.Metadata.Labels
	out := Cron{DataSource: o.Spec.ManagedDataSource, Label: labels[ArchitectureLabel], Defaults: DefaultsOf(labels)}
	if s := o.Spec.Template.Spec.Source; s != nil && s.Registry != nil {
		out.Registry = *s.Registry
	}
	return out, nil
}

// ReadDataSource reads a DataSource of CDI.
func ReadDataSource(data []byte) (DataSource, error) {
	var o struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Spec struct {
			Source struct {
				DataSource *Key `json:"dataSource"`
				Claim      *Key `json:"pvc"`
				Snapshot   *Key `json:"snapshot"`
			} `json:"source"`
		} `json:"spec"`
	}
	if err := unmarshal(data, &o); err != nil {
		return DataSource{}, fmt.Errorf("read the DataSource: %w", err)
	}
	labels, from := o.Metadata.Labels, o.Spec.Source
	return DataSource{
		Label: labels[ArchitectureLabel], Defaults: DefaultsOf(labels), Reference: from.DataSource, Claim: from.Claim, Snapshot: from.Snapshot,
	}, nil
}

// ReadVolumes reads a PersistentVolumeClaim, a VolumeSnapshot or a DataVolume.
func ReadVolumes(data []byte) (Volumes, error) {
	var o struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Spec DataVolumeSpec `json:"spec"`
	}
	err := ReadFields(data, &o)
	return Volumes{Defaults: DefaultsOf(o.Metadata.Labels), Spec: o.Spec}, err
}

// virtualMachineSpec is a part of VirtualMachineSpec. That of a replica set has the template
// alone.
type virtualMachineSpec struct {
	Template struct {
		Spec InstanceSpec `json:"spec"`
	} `json:"template"`
	DataVolumeTemplates []DataVolumeTemplate `json:"dataVolumeTemplates"`
	Preference          *Matcher             `json:"preference"`
	Instancetype        *Matcher             `json:"instancetype"`
}

// ReadFields reads the fields of an object.
func ReadFields(data []byte, into any) error {
	if err := unmarshal(data, into); err != nil {
		return fmt.Errorf("read the fields: %w", err)
	}
	return nil
}

// ReadMachine reads an object of one of KubeVirt's kinds.
func ReadMachine(kind Kind, data []byte) (Machine, error) {
	if kind == Instance {
		var o struct {
			Spec InstanceSpec `json:"spec"`
		}
		err := ReadFields(data, &o)
		return Machine{Kind: kind, Spec: o.Spec}, err
	}
	var o struct {
		Spec struct {
			virtualMachineSpec

			OfPool struct {
				Spec virtualMachineSpec `json:"spec"`
			} `json:"virtualMachineTemplate"`
		} `json:"spec"`
	}
	err := ReadFields(data, &o)
	spec := o.Spec.virtualMachineSpec
	if kind == ReplicaSet {
		return Machine{Kind: kind, Spec: spec.Template.Spec}, err
	}
	if kind == Pool {
		spec = o.Spec.OfPool.Spec
	}
	return Machine{
		Kind: kind, Spec: spec.Template.Spec, DataVolumeTemplates: spec.DataVolumeTemplates, Preference: spec.Preference, Instancetype: spec.Instancetype,
	}, err
}

// SpecPath is where the spec of the instance is in an object of the kind.
func (k Kind) SpecPath() string {
	switch k {
	case Instance:
		return "spec"
	case Pool:
		return "spec.virtualMachineTemplate.spec.template.spec"
	default:
		return "spec.template.spec"
	}
}
