package kubevirt

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Kind says through which webhooks a machine goes.
type Kind string

// The kinds of objects that KubeVirt makes machines from.
const (
	VirtualMachine Kind = "VirtualMachine"
	Instance       Kind = "VirtualMachineInstance"
	ReplicaSet     Kind = "VirtualMachineInstanceReplicaSet"
	Pool           Kind = "VirtualMachinePool"
)

// Machine is what KubeVirt reads of a machine to decide about its architecture.
type Machine struct {
	Kind      Kind
	Namespace string
	Spec      InstanceSpec
	// DataVolumeTemplates are those of a VirtualMachine, and Preference and Instancetype what it
	// names. They are not read for an instance or a replica set.
	DataVolumeTemplates      []DataVolumeTemplate
	Preference, Instancetype *Matcher
}

// InstanceSpec is a part of VirtualMachineInstanceSpec (api/core/v1/types.go).
type InstanceSpec struct {
	Architecture  string            `json:"architecture"`
	Domain        Domain            `json:"domain"`
	NodeSelector  map[string]string `json:"nodeSelector"`
	SchedulerName string            `json:"schedulerName"`
	Affinity      *corev1.Affinity  `json:"affinity"`
	Volumes       []Volume          `json:"volumes"`
}

// Domain is a part of DomainSpec.
type Domain struct {
	CPU             *CPU                        `json:"cpu"`
	Memory          *Memory                     `json:"memory"`
	Resources       corev1.ResourceRequirements `json:"resources"`
	Machine         *MachineType                `json:"machine"`
	Firmware        *Firmware                   `json:"firmware"`
	Features        Features                    `json:"features"`
	Devices         Devices                     `json:"devices"`
	IOThreads       *IOThreads                  `json:"ioThreads"`
	IOThreadsPolicy any                         `json:"ioThreadsPolicy"`
	LaunchSecurity  *map[string]any             `json:"launchSecurity"`
}

// CPU is a part of CPU.
type CPU struct {
	Sockets   uint32       `json:"sockets"`
	Cores     uint32       `json:"cores"`
	Threads   uint32       `json:"threads"`
	Model     string       `json:"model"`
	Features  []CPUFeature `json:"features"`
	Dedicated bool         `json:"dedicatedCpuPlacement"`
	Isolated  bool         `json:"isolateEmulatorThread"`
	NUMA      any          `json:"numa"`
	Realtime  any          `json:"realtime"`
}

// CPUFeature is CPUFeature.
type CPUFeature struct {
	Name   string `json:"name"`
	Policy string `json:"policy"`
}

// IsRequired reports whether a node must have the label of the feature (nodeselectorrenderer.go:
// CPUFeatureLabelsFromCPUFeatures).
func (f CPUFeature) IsRequired() bool { return f.Policy == "" || f.Policy == "require" }

// Memory is a part of Memory.
type Memory struct {
	Guest     *resource.Quantity `json:"guest"`
	Hugepages *Hugepages         `json:"hugepages"`
	MaxGuest  *resource.Quantity `json:"maxGuest"`
}

// Hugepages is Hugepages.
type Hugepages struct {
	PageSize string `json:"pageSize"`
}

// IOThreads is DiskIOThreads.
type IOThreads struct {
	Count any `json:"supplementalPoolThreadCount"`
}

// Features is a part of Features: those that only some architectures have.
type Features struct {
	SMM    *FeatureState            `json:"smm"`
	Hyperv map[string]*FeatureState `json:"hyperv"`
}

// FeatureState is FeatureState.
type FeatureState struct {
	Enabled *bool `json:"enabled,omitzero"`
}

// IsOn reports whether the feature is on, which is the default of one that is named.
func (f *FeatureState) IsOn() bool { return f != nil && (f.Enabled == nil || *f.Enabled) }

// NamesModel reports whether the CPU is of a model whose label a node must have
// (nodeselectorrenderer.go). A nil CPU names none.
func (c *CPU) NamesModel() bool {
	return c != nil && c.Model != "" && c.Model != "host-model" && c.Model != "host-passthrough"
}

// Requires reports whether a node must have the label of a CPU feature.
func (c *CPU) Requires() bool {
	return c != nil && slices.ContainsFunc(c.Features, CPUFeature.IsRequired)
}

// MachineType is Machine.
type MachineType struct {
	Type string `json:"type"`
}

// Firmware is a part of Firmware.
type Firmware struct {
	Bootloader *Bootloader `json:"bootloader"`
	KernelBoot *KernelBoot `json:"kernelBoot"`
}

// EFI returns the EFI bootloader; nil for another one, and for none.
func (f *Firmware) EFI() *EFI {
	if f == nil || f.Bootloader == nil {
		return nil
	}
	return f.Bootloader.EFI
}

// Bootloader is a part of Bootloader.
type Bootloader struct {
	BIOS *struct{} `json:"bios"`
	EFI  *EFI      `json:"efi"`
}

// EFI is a part of EFI.
type EFI struct {
	SecureBoot *bool `json:"secureBoot,omitzero"`
}

// IsSecure reports whether the bootloader starts only what is signed, which is the default of EFI.
func (e *EFI) IsSecure() bool { return e != nil && (e.SecureBoot == nil || *e.SecureBoot) }

// KernelBoot is a part of KernelBoot.
type KernelBoot struct {
	Container *Container `json:"container"`
}

// Container names the image of a container disk or of a kernel.
type Container struct {
	Image string `json:"image"`
}

// Devices is a part of Devices.
type Devices struct {
	Disks        []Disk           `json:"disks"`
	Filesystems  []Filesystem     `json:"filesystems"`
	Video        *Video           `json:"video"`
	Watchdog     *Watchdog        `json:"watchdog"`
	Sound        *struct{}        `json:"sound"`
	TPM          *struct{}        `json:"tpm"`
	PanicDevices []map[string]any `json:"panicDevices"`
	GPUs         []any            `json:"gpus"`
	HostDevices  []any            `json:"hostDevices"`
}

// Disk is a part of Disk.
type Disk struct {
	Name      string  `json:"name"`
	BootOrder *uint   `json:"bootOrder"`
	Disk      *Target `json:"disk"`
	CDRom     *Target `json:"cdrom"`
	LUN       *Target `json:"lun"`
}

// Filesystem is a part of Filesystem: a volume that the machine mounts and that is no disk.
type Filesystem struct {
	Name string `json:"name"`
}

// Target is a disk, a CD-ROM or a LUN.
type Target struct {
	Bus string `json:"bus"`
}

// Video is a part of VideoDevice.
type Video struct {
	Type string `json:"type"`
}

// Watchdog is a part of Watchdog.
type Watchdog struct {
	I6300ESB *struct{} `json:"i6300esb"`
	Diag288  *struct{} `json:"diag288"`
}

// Volume is a part of Volume. At most one of the sources counts.
type Volume struct {
	Name          string        `json:"name"`
	ContainerDisk *Container    `json:"containerDisk"`
	DataVolume    *DataVolumeIn `json:"dataVolume"`
	Claim         *ClaimIn      `json:"persistentVolumeClaim"`
	Ephemeral     *Ephemeral    `json:"ephemeral"`
	HostDisk      *HostDisk     `json:"hostDisk"`
}

// HostDisk is a part of HostDisk.
type HostDisk struct {
	Path string `json:"path"`
}

// DataVolumeIn names a DataVolume.
type DataVolumeIn struct {
	Name string `json:"name"`
}

// ClaimIn names a PersistentVolumeClaim.
type ClaimIn struct {
	ClaimName string `json:"claimName"`
}

// Ephemeral is a part of EphemeralVolumeSource.
type Ephemeral struct {
	Claim *ClaimIn `json:"persistentVolumeClaim"`
}

// DataVolumeTemplate is a part of DataVolumeTemplateSpec.
type DataVolumeTemplate struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec DataVolumeSpec `json:"spec"`
}

// DataVolumeSpec is a part of CDI's DataVolumeSpec.
type DataVolumeSpec struct {
	SourceRef *SourceRef        `json:"sourceRef"`
	Source    *DataVolumeSource `json:"source"`
}

// SourceRef is DataVolumeSourceRef.
type SourceRef struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Key returns the key of the DataSource that an object in a namespace names.
func (r SourceRef) Key(namespace string) Key {
	return Key{Namespace: cmp.Or(r.Namespace, namespace), Name: r.Name}
}

// DataVolumeSource is a part of DataVolumeSource. A pointer says that the source is of that
// kind. Without any, CDI downloads the disk from a server.
type DataVolumeSource struct {
	Registry *RegistrySource `json:"registry"`
	Claim    *NamedSource    `json:"pvc"`
	Snapshot *NamedSource    `json:"snapshot"`
	Upload   *struct{}       `json:"upload"`
	Blank    *struct{}       `json:"blank"`
	// OfClaim is the claim that a VolumeSnapshot is of.
	OfClaim string `json:"persistentVolumeClaimName"`
}

// NamedSource names a PersistentVolumeClaim or a VolumeSnapshot.
type NamedSource struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// RegistrySource is a part of DataVolumeSourceRegistry.
type RegistrySource struct {
	URL         *string   `json:"url"`
	ImageStream *string   `json:"imageStream"`
	PullMethod  string    `json:"pullMethod"`
	Platform    *Platform `json:"platform"`
}

// PulledByPods reports whether pods of CDI pull the image, and not the nodes.
func (r RegistrySource) PulledByPods() bool { return r.ImageStream == nil && r.PullMethod != "node" }

// Image returns the image without the scheme; "" for an ImageStream or an archive.
func (r RegistrySource) Image() string {
	if r.URL == nil {
		return ""
	}
	if image, ok := strings.CutPrefix(*r.URL, "docker://"); ok {
		return image
	}
	return ""
}

// Platform is PlatformOptions.
type Platform struct {
	Architecture string `json:"architecture"`
}

// Key names an object in a namespace.
type Key struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Head is what every object has.
type Head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   Key    `json:"metadata"`
}

// Cron is what counts of a DataImportCron.
type Cron struct {
	// DataSource is spec.managedDataSource.
	DataSource string
	// Label and Defaults are what the labels say that CDI gives the DataSource.
	Label string
	Defaults
	// Registry is the source of its imports.
	Registry RegistrySource
}

// DataSource is what KubeVirt reads of a DataSource.
type DataSource struct {
	// Label is the value of its architecture label, and Defaults what its labels name.
	Label string
	Defaults
	// Reference, Claim and Snapshot are the sources that spec.source names; nil for another one.
	Reference, Claim, Snapshot *Key
}

// Cluster is the state of the cluster when a machine is created.
type Cluster struct {
	Configuration

	// API is the architecture that virt-api runs on.
	API string
	// DataSources are those that exist.
	DataSources map[Key]DataSource
	// Volumes are PersistentVolumeClaims, VolumeSnapshots and DataVolumes that exist.
	Volumes map[Object]Volumes
	// Preferences and Instancetypes are those that exist, besides those that KubeVirt ships.
	Preferences   map[Object]Preference
	Instancetypes map[Object]Instancetype
	// Complete says that nothing else exists. Otherwise a cluster may have more, and the objects
	// more labels.
	Complete bool
}

// Object names an object of the cluster.
type Object struct {
	Kind string
	Key
}

// Volumes is what KubeVirt reads of an object that holds or makes a volume.
type Volumes struct {
	Defaults

	// Spec is that of a DataVolume.
	Spec DataVolumeSpec
}
