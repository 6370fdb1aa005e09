package kubevirt

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/goldenarch/goldenarch/internal/arch"
)

var (
	v162 = Version{6, 2}
	v164 = Version{6, 4}
	v174 = Version{7, 4}
	v184 = Version{8, 4}
	v190 = Version{9, 0}
)

// fromSource is a machine with a disk from a DataSource of its own namespace.
func fromSource(names ...string) Machine {
	m := Machine{Kind: VirtualMachine, Namespace: "vms"}
	for _, name := range names {
		var t DataVolumeTemplate
		t.Spec.SourceRef = &SourceRef{Kind: "DataSource", Namespace: "os-images", Name: name}
		m.DataVolumeTemplates = append(m.DataVolumeTemplates, t)
	}
	return m
}

func (m Machine) with(edit func(*Machine)) Machine {
	edit(&m)
	return m
}

func instancetype(model string, selector map[string]string) Instancetype {
	out := Instancetype{NodeSelector: selector}
	if out.CPU.Guest = 2; model != "" {
		out.CPU.Model = &model
	}
	return out
}

// onAMD64Cluster is a cluster whose default is amd64, with DataSources as SSP makes them.
func onAMD64Cluster(v Version, edits ...func(*Cluster)) Cluster {
	c := Cluster{Configuration: Configuration{Version: v, Default: "amd64", MultiArchitecture: true}, API: "amd64", DataSources: map[Key]DataSource{
		{"os-images", "fedora"}:       {Reference: &Key{"os-images", "fedora-arm64"}},
		{"os-images", "fedora-arm64"}: {Label: "arm64"},
		{"os-images", "fedora-s390x"}: {Label: "s390x"},
		{"os-images", "plain"}:        {},
		{"os-images", "odd"}:          {Label: "aarch64"},
		{"os-images", "far"}:          {Reference: &Key{"os-images", "fedora"}},
		{"os-images", "nowhere"}:      {Reference: &Key{"", "fedora-arm64"}},
		{"os-images", "gone"}:         {Reference: &Key{"os-images", "missing"}},
		{"vms", "fedora-arm64"}:       {Label: "s390x"},
	}, Preferences: map[Object]Preference{
		{ClusterPreference, Key{Name: "prefers-s390x"}}:  {Architecture: "s390x"},
		{ClusterPreference, Key{Name: "requires-amd64"}}: {Requirements: Requirements{Architecture: "amd64"}},
		{ClusterPreference, Key{Name: "cpu"}}:            {CPU: PreferredCPU{Features: []CPUFeature{{Name: "f"}}}},
		{OwnPreference, Key{"vms", "sata"}}:              {Devices: PreferredDevices{DiskBus: "sata"}},
	}, Instancetypes: map[Object]Instancetype{
		{ClusterInstancetype, Key{Name: "haswell"}}: instancetype("Haswell", nil),
		{ClusterInstancetype, Key{Name: "on-arm"}}:  instancetype("", map[string]string{arch.Label: "arm64"}),
	}, Volumes: map[Object]Volumes{
		{"PersistentVolumeClaim", Key{"vms", "named"}}: {Defaults: Defaults{Preference: Matcher{Name: "prefers-s390x"}, Instancetype: Matcher{Name: "on-arm"}}},
		{"PersistentVolumeClaim", Key{"vms", "bare"}}:  {},
	}}
	for _, edit := range edits {
		edit(&c)
	}
	return c
}

// TestArchitectureOfMachine: which of the four steps decides, by release (vm-mutator.go: Mutate;
// pkg/defaults/defaults.go).
func TestArchitectureOfMachine(t *testing.T) {
	t.Parallel()
	explicit := func(a string) func(*Machine) { return func(m *Machine) { m.Spec.Architecture = a } }
	prefers := func(a string) func(*Machine) {
		return func(m *Machine) { m.Preference = &Matcher{Name: "prefers-" + a} }
	}
	kind := func(k Kind) func(*Machine) { return func(m *Machine) { m.Kind = k } }
	for _, tc := range []struct {
		reason  string
		machine Machine
		version Version
		want    string
		by      By
	}{
		{"the machine states it", fromSource("fedora-arm64").with(explicit("s390x")), v190, "s390x", ByMachine},
		{"a stated one stays as it is written", fromSource().with(explicit("ARM64")), v190, "ARM64", ByMachine},
		{"the label of a DataSource", fromSource("fedora-arm64"), v190, "arm64", ByDataSource},
		{"1.6.4 reads it too", fromSource("fedora-arm64"), v164, "arm64", ByDataSource},
		{"1.6.2 does not", fromSource("fedora-arm64"), v162, "amd64", ByDefault},
		{"through one reference", fromSource("fedora"), v184, "arm64", ByDataSource},
		{"not through two", fromSource("far"), v184, "amd64", ByDefault},
		{"a reference without a namespace finds nothing", fromSource("nowhere"), v184, "amd64", ByDefault},
		{"a reference to nothing", fromSource("gone"), v184, "amd64", ByDefault},
		{"a missing DataSource is ignored", fromSource("missing"), v184, "amd64", ByDefault},
		{"a missing one lets the next one count", fromSource("missing", "fedora-s390x"), v184, "s390x", ByDataSource},
		{"the first label counts", fromSource("plain", "fedora-s390x", "fedora-arm64"), v184, "s390x", ByDataSource},
		{"another name of an architecture is skipped", fromSource("odd", "fedora-arm64"), v184, "arm64", ByDataSource},
		{"no namespace is that of the machine", fromSource("fedora-arm64").with(func(m *Machine) {
			m.DataVolumeTemplates[0].Spec.SourceRef.Namespace = ""
		}), v184, "s390x", ByDataSource},
		{"the kind in any case", fromSource("fedora-arm64").with(func(m *Machine) {
			m.DataVolumeTemplates[0].Spec.SourceRef.Kind = "datasource"
		}), v184, "arm64", ByDataSource},
		{"another kind", fromSource("fedora-arm64").with(func(m *Machine) {
			m.DataVolumeTemplates[0].Spec.SourceRef.Kind = "PVC"
		}), v184, "amd64", ByDefault},
		{"a preference wins over a label", fromSource("fedora-arm64").with(prefers("s390x")), v174, "s390x", ByPreference},
		{"1.6 knows no preferredArchitecture", fromSource("fedora-arm64").with(prefers("s390x")), v164, "arm64", ByDataSource},
		{"the machine wins over a preference", fromSource().with(prefers("s390x")).with(explicit("arm64")), v174, "arm64", ByMachine},
		{"nothing else", fromSource(), v184, "amd64", ByDefault},
		{"an instance takes the default", fromSource("fedora-arm64").with(kind(Instance)), v184, "amd64", ByDefault},
		{"a replica set too", fromSource("fedora-arm64").with(kind(ReplicaSet)), v184, "amd64", ByDefault},
		{"machines of a pool do not", fromSource("fedora-arm64").with(kind(Pool)), v184, "arm64", ByDataSource},
	} {
		got := Decide(tc.machine, onAMD64Cluster(tc.version))
		if got.Architecture != tc.want || got.By != tc.by {
			t.Errorf("%s: want %s by %s, got %s by %s", tc.reason, tc.want, tc.by, got.Architecture, got.By)
		}
	}
}

// TestRefusals: what the webhooks refuse when the machine is created, and what they refuse only
// when its instance is (vmi-create-admitter.go; webhooks/arm64.go, s390x.go, amd64.go).
func TestRefusals(t *testing.T) {
	t.Parallel()
	of := func(a string, edits ...func(*InstanceSpec)) Machine {
		m := Machine{Kind: VirtualMachine, Namespace: "vms"}
		m.Spec.Architecture = a
		for _, edit := range edits {
			edit(&m.Spec)
		}
		return m
	}
	machineType := func(name string) func(*InstanceSpec) {
		return func(s *InstanceSpec) { s.Domain.Machine = &MachineType{Type: name} }
	}
	bus := func(name string) func(*InstanceSpec) {
		return func(s *InstanceSpec) {
			s.Domain.Devices.Disks = []Disk{{Disk: &Target{}}, {Disk: &Target{Bus: name}}}
		}
	}
	video := func(name string) func(*InstanceSpec) {
		return func(s *InstanceSpec) { s.Domain.Devices.Video = &Video{Type: name} }
	}
	watchdog := func(w Watchdog) func(*InstanceSpec) {
		return func(s *InstanceSpec) { s.Domain.Devices.Watchdog = &w }
	}
	efi := func(secure *bool) func(*InstanceSpec) {
		return func(s *InstanceSpec) {
			s.Domain.Firmware = &Firmware{Bootloader: &Bootloader{EFI: &EFI{SecureBoot: secure}}}
			s.Domain.Features.SMM = &FeatureState{}
		}
	}
	model := func(name string) func(*InstanceSpec) {
		return func(s *InstanceSpec) { s.Domain.CPU = &CPU{Model: name} }
	}
	named := func(preference, instancetype string) func(*Machine) {
		return func(m *Machine) {
			if preference != "" {
				m.Preference = &Matcher{Name: preference}
			}
			if instancetype != "" {
				m.Instancetype = &Matcher{Name: instancetype}
			}
		}
	}
	on, off := true, false
	cores := func(s *InstanceSpec) { s.Domain.CPU = &CPU{Cores: 1} }
	memory := func(s *InstanceSpec) { s.Domain.Memory = &Memory{} }
	root := func(s *InstanceSpec) { s.Volumes = []Volume{{Name: "root"}} }
	noGate := func(c *Cluster) { c.MultiArchitecture = false }
	kind := func(m Machine, k Kind) Machine { m.Kind = k; return m }
	requires := func(a string) func(*Machine) {
		return func(m *Machine) { m.Preference = &Matcher{Name: "requires-" + a} }
	}
	fromClaim := func(policy string) Machine {
		guest := resource.MustParse("8Gi")
		m := of("amd64", func(s *InstanceSpec) {
			s.Domain.Memory = &Memory{Guest: &guest}
			s.Volumes = []Volume{{Name: "root", Claim: &ClaimIn{ClaimName: "named"}}}
		})
		m.Instancetype = &Matcher{InferFromVolume: "root", FailurePolicy: policy}
		return m
	}
	for _, tc := range []struct {
		reason  string
		machine Machine
		cluster Cluster
		refused Rule
		later   Rule
	}{
		{"nothing special", of("arm64"), onAMD64Cluster(v184), "", ""},
		{"another architecture with the gate on", of("arm64"), onAMD64Cluster(v174), "", ""},
		{"another architecture with the gate off", of("arm64"), onAMD64Cluster(v174, noGate), GateOff, ""},
		{"also on 1.6", of("arm64"), onAMD64Cluster(v162, noGate), GateOff, ""},
		{"also if a label says so", fromSource("fedora"), onAMD64Cluster(v164, noGate), GateOff, ""},
		{"its own architecture needs no gate", of("amd64"), onAMD64Cluster(v174, noGate), "", ""},
		{"1.8 has no such gate", of("arm64"), onAMD64Cluster(v184, noGate), "", ""},
		{"a machine type of before", of("arm64", machineType("q35")), onAMD64Cluster(v190), MachineTypeWrong, ""},
		{"an older one of amd64", of("", machineType("pc-q35-rhel9.2.0")), onAMD64Cluster(v190), "", ""},
		{"virt on the default amd64", of("", machineType("virt")), onAMD64Cluster(v190), MachineTypeWrong, ""},
		{"s390x has its own", of("s390x", machineType("s390-ccw-virtio-rhel9.2.0")), onAMD64Cluster(v190), "", ""},
		{"a configured list counts for all", of("arm64", machineType("q35")), onAMD64Cluster(v190, func(c *Cluster) {
			c.EmulatedMachines = []string{"q35*", "virt*"}
		}), "", ""},
		{"a configured machine type counts for all", of("arm64"), onAMD64Cluster(v190, func(c *Cluster) { c.MachineType = "q35" }), MachineTypeWrong, ""},
		{"a pool without an architecture has the types of amd64", kind(of("", machineType("virt")), Pool), onAMD64Cluster(v190, func(c *Cluster) {
			c.Default = "arm64"
		}), MachineTypeUnstated, ""},
		{"a machine does not", of("", machineType("virt")), onAMD64Cluster(v190, func(c *Cluster) { c.Default = "arm64" }), "", ""},
		{"threads on arm64", of("arm64", func(s *InstanceSpec) { s.Domain.CPU = &CPU{Threads: 2, Dedicated: true} }), onAMD64Cluster(v184), ThreadsOnARM, ""},
		{"only dedicated ones", of("arm64", func(s *InstanceSpec) { s.Domain.CPU = &CPU{Threads: 2} }), onAMD64Cluster(v184), "", ""},
		{"panic devices on s390x", of("s390x", func(s *InstanceSpec) {
			s.Domain.Devices.PanicDevices = []map[string]any{{}}
		}), onAMD64Cluster(v184), PanicDevices, ""},
		{"launchSecurity on arm64", of("arm64", func(s *InstanceSpec) {
			s.Domain.LaunchSecurity = &map[string]any{}
		}), onAMD64Cluster(v174), LaunchSecurity, ""},
		{"a LUN of a container disk", of("amd64", root, func(s *InstanceSpec) {
			s.Domain.Devices.Disks = []Disk{{Name: "root", LUN: &Target{}}}
		}), onAMD64Cluster(v190), LUNOfImage, ""},
		{"the CPU features of a preference for a machine without a CPU", of("amd64").with(named("cpu", "")), onAMD64Cluster(v190), WebhookFails, ""},
		{"for one with a CPU", of("amd64", cores).with(named("cpu", "")), onAMD64Cluster(v190), "", ""},
		{"for one with an instancetype", of("amd64").with(named("cpu", "haswell")), onAMD64Cluster(v190), "", ""},
		{"a required architecture", of("arm64").with(requires("amd64")), onAMD64Cluster(v174), RequiredArchitecture, ""},
		{"sata on arm64 never starts", of("arm64", bus("sata")), onAMD64Cluster(v190), "", DiskBus},
		{"of an instance it is refused", kind(of("arm64", bus("sata")), Instance), onAMD64Cluster(v190), DiskBus, ""},
		{"scsi does", of("arm64", bus("scsi")), onAMD64Cluster(v190), "", ""},
		{"sata elsewhere", of("amd64", bus("sata")), onAMD64Cluster(v190), "", ""},
		{"BIOS on arm64", of("arm64", func(s *InstanceSpec) {
			s.Domain.Firmware = &Firmware{Bootloader: &Bootloader{BIOS: &struct{}{}}}
		}), onAMD64Cluster(v190), "", BIOSOnARM},
		{"secure boot by default on arm64 up to 1.7", of("arm64", efi(nil)), onAMD64Cluster(v174), "", SecureBoot},
		{"off", of("arm64", efi(&off)), onAMD64Cluster(v174), "", ""},
		{"from 1.8 it is accepted", of("arm64", efi(nil)), onAMD64Cluster(v184), "", ""},
		{"a CPU model on arm64", of("arm64", func(s *InstanceSpec) { s.Domain.CPU = &CPU{Model: "host-model"} }), onAMD64Cluster(v184), "", CPUModel},
		{"sound on arm64", of("arm64", func(s *InstanceSpec) { s.Domain.Devices.Sound = &struct{}{} }), onAMD64Cluster(v184), "", SoundOnARM},
		{"any watchdog on arm64", of("arm64", watchdog(Watchdog{I6300ESB: &struct{}{}})), onAMD64Cluster(v184), "", WatchdogKind},
		{"that one is amd64's", of("amd64", watchdog(Watchdog{I6300ESB: &struct{}{}})), onAMD64Cluster(v184), "", ""},
		{"and not s390x's", of("s390x", watchdog(Watchdog{I6300ESB: &struct{}{}})), onAMD64Cluster(v184), "", WatchdogKind},
		{"which has another", of("s390x", watchdog(Watchdog{Diag288: &struct{}{}})), onAMD64Cluster(v184), "", ""},
		{"vga on arm64", of("arm64", video("vga")), onAMD64Cluster(v184), "", VideoType},
		{"ramfb on s390x", of("s390x", video("ramfb")), onAMD64Cluster(v184), "", VideoType},
		{"bochs on amd64", of("amd64", video("bochs")), onAMD64Cluster(v184), "", ""},
		{"one without a device gets that of its architecture", of("s390x", watchdog(Watchdog{})), onAMD64Cluster(v190), "", ""},
		{"which arm64 has not", of("arm64", watchdog(Watchdog{})), onAMD64Cluster(v190), "", WatchdogKind},
		{"a stated secure boot on arm64 from 1.8 on finds no firmware", of("arm64", efi(&on)), onAMD64Cluster(v190), "", NoFirmware},
		{"any EFI on s390x", of("s390x", efi(&off)), onAMD64Cluster(v174), "", NoFirmware},
		{"and on ppc64le", of("ppc64le", efi(&off)), onAMD64Cluster(v164), "", NoFirmware},
		{"secure boot on amd64", of("amd64", efi(nil)), onAMD64Cluster(v190), "", ""},
		{"secure boot without SMM", of("amd64", efi(nil), func(s *InstanceSpec) { s.Domain.Features.SMM = nil }), onAMD64Cluster(v190), NoSMM, ""},
		{"a CPU model of x86 on s390x", of("s390x", model("Haswell")), onAMD64Cluster(v190), "", NoCPUModel},
		{"one of s390x there", of("s390x", model("z14")), onAMD64Cluster(v190), "", ""},
		{"and on amd64", of("amd64", model("z14")), onAMD64Cluster(v190), "", NoCPUModel},
		{"the default CPU model on s390x", of("s390x"), onAMD64Cluster(v190, func(c *Cluster) { c.CPUModel = "Haswell" }), "", NoCPUModel},
		{"arm64 has its own default", of("arm64"), onAMD64Cluster(v190, func(c *Cluster) { c.CPUModel = "Haswell" }), "", ""},
		{"a CD-ROM is on virtio by default", of("arm64", func(s *InstanceSpec) {
			s.Domain.Devices.Disks = []Disk{{CDRom: &Target{}}}
		}), onAMD64Cluster(v190), "", CDRomVirtio},
		{"but on amd64", of("amd64", func(s *InstanceSpec) {
			s.Domain.Devices.Disks = []Disk{{CDRom: &Target{}}}
		}), onAMD64Cluster(v190), "", ""},
		{"an own preference counts", of("arm64", root).with(func(m *Machine) {
			m.Preference = &Matcher{Name: "sata", Kind: "VirtualMachinePreference"}
		}), onAMD64Cluster(v190), "", DiskBus},
		{"the CPU model of an instancetype", of("s390x").with(named("", "haswell")), onAMD64Cluster(v190), "", NoCPUModel},
		{"its node selector beside that of the machine", of("arm64", func(s *InstanceSpec) {
			s.NodeSelector = map[string]string{"disk": "ssd"}
		}).with(named("", "on-arm")), onAMD64Cluster(v190), Conflict, ""},
		{"its CPUs beside those of the machine", of("arm64", cores).with(named("", "on-arm")), onAMD64Cluster(v190), Conflict, ""},
		{"memory beside an instancetype up to 1.6", of("arm64", memory).with(named("", "on-arm")), onAMD64Cluster(v164), Conflict, ""},
		{"which 1.7 merges", of("arm64", memory).with(named("", "on-arm")), onAMD64Cluster(v174), "", ""},
		{"a reference without a name", of("arm64").with(func(m *Machine) { m.Preference = &Matcher{} }), onAMD64Cluster(v190), ReferenceWrong, ""},
		{"one of another kind", of("arm64").with(func(m *Machine) { m.Preference = &Matcher{Name: "sata", Kind: "Other"} }), onAMD64Cluster(v190), "", NotFound},
		{"a preference from a volume that the machine has not", of("arm64").with(func(m *Machine) {
			m.Preference = &Matcher{InferFromVolume: "root"}
		}), onAMD64Cluster(v190), ReferenceWrong, ""},
		{"one from a container disk", of("arm64", root).with(func(m *Machine) {
			m.Preference = &Matcher{InferFromVolume: "root"}
		}), onAMD64Cluster(v190), ReferenceWrong, ""},
		{"which a machine may ask to ignore", of("arm64", root).with(func(m *Machine) {
			m.Preference = &Matcher{InferFromVolume: "root", FailurePolicy: "Ignore"}
		}), onAMD64Cluster(v190), "", ""},
		{"memory beside an instancetype from a volume", fromClaim(""), onAMD64Cluster(v190), Conflict, ""},
		{"which counts no more where the machine ignores a failure to infer it", fromClaim("Ignore"), onAMD64Cluster(v190), "", ""},
		{"an unknown architecture", of("riscv64"), onAMD64Cluster(v184), "", Unsupported},
		{"ppc64le up to 1.6", of("ppc64le"), onAMD64Cluster(v164), "", ""},
		{"ppc64le later", of("ppc64le"), onAMD64Cluster(v174), "", Unsupported},
	} {
		got := Decide(tc.machine, tc.cluster)
		if !same(got.Refused, tc.refused) || !same(got.NeverStarts, tc.later) {
			t.Errorf("%s: want refused %q, later %q; got %v, %v", tc.reason, tc.refused, tc.later, got.Refused, got.NeverStarts)
		}
		for _, r := range slices.Concat(got.Refused, got.NeverStarts) {
			if text := r.Text(got.Architecture); text == string(r.Rule) || strings.Contains(text, "%!") {
				t.Errorf("%s: the refusal has no text: %q", tc.reason, text)
			}
		}
	}
}

func same(got []Refusal, want Rule) bool {
	if want == "" {
		return len(got) == 0
	}
	return len(got) == 1 && got[0].Rule == want
}

// TestArchitectures: an architecture of machines has machine types, which a KubeVirt CR may
// change, and KubeVirt starts machines of it.
func TestArchitectures(t *testing.T) {
	t.Parallel()
	for _, a := range Architectures {
		if _, known := standardTypes[a]; !known {
			t.Errorf("%s has no machine types", a)
		}
		stated := `{"spec": {"configuration": {"architectureConfiguration": {"` + a + `": {"machineType": "stated"}}}}}`
		if got, err := ReadConfiguration([]byte(stated)); err != nil || got.Types[a].Standard != "stated" {
			t.Errorf("%s: the machine type of the KubeVirt CR is not read: %v (%v)", a, got.Types, err)
		}
		if got := Decide(Machine{Kind: VirtualMachine, Spec: InstanceSpec{Architecture: a}}, onAMD64Cluster(v190)); len(got.NeverStarts) > 0 {
			t.Errorf("%s: a machine never starts: %v", a, got.NeverStarts)
		}
	}
}

// TestInference: what a volume says of the preference, and what only the cluster shows.
func TestInference(t *testing.T) {
	t.Parallel()
	from := func(claim string) Machine {
		return Machine{Namespace: "vms", Preference: &Matcher{InferFromVolume: "root"}, Spec: InstanceSpec{
			Volumes: []Volume{{Name: "root", Claim: &ClaimIn{ClaimName: claim}}},
		}}
	}
	for _, tc := range []struct {
		reason, claim, want string
		is                  Named
	}{
		{"the labels of a claim of the input", "named", "s390x", Found},
		{"a claim without them may have more in the cluster", "bare", "", Unsure},
		{"a claim of the cluster", "missing", "", Unsure},
	} {
		got := Decide(from(tc.claim), onAMD64Cluster(v190))
		if got.Architecture != tc.want || got.Preference != tc.is {
			t.Errorf("%s: want %q and %s, got %q and %s", tc.reason, tc.want, tc.is, got.Architecture, got.Preference)
		}
	}
}

// TestFitting: which preference KubeVirt ships for an architecture in place of another one.
func TestFitting(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, architecture string
		version            Version
		want               string
	}{
		{"rhel.9", "arm64", v184, "rhel.9.arm64"},
		{"rhel.9.arm64", "s390x", v190, "rhel.9.s390x"},
		{"rhel.9.arm64", "amd64", v190, "rhel.9"},
		{"windows.10", "arm64", v190, ""},
		{"ours", "arm64", v190, ""},
	} {
		if got := Fitting(tc.name, tc.architecture, tc.version); got != tc.want {
			t.Errorf("%s on %s: want %q, got %q", tc.name, tc.architecture, tc.want, got)
		}
	}
}

// TestNodeSelector: who overwrites the architecture on the launcher pod
// (nodeselectorrenderer.go: NewNodeSelectorRenderer, WithoutNativeArchSelector).
func TestNodeSelector(t *testing.T) {
	t.Parallel()
	selects := func(a string) func(*Machine) {
		return func(m *Machine) { m.Spec.NodeSelector = map[string]string{arch.Label: a} }
	}
	cross := func(c *Cluster) { c.CrossArchitecture = true }
	for _, tc := range []struct {
		reason  string
		machine Machine
		cluster Cluster
		want    string
	}{
		{"the machine's own", fromSource("fedora"), onAMD64Cluster(v190), "arm64"},
		{"in lower case", Machine{Spec: InstanceSpec{Architecture: "ARM64"}}, onAMD64Cluster(v190), "arm64"},
		{"the user overwrites it", fromSource("fedora").with(selects("amd64")), onAMD64Cluster(v190), "amd64"},
		{"so does the cluster", fromSource("fedora"), onAMD64Cluster(v190, func(c *Cluster) {
			c.NodeSelectors = map[string]string{arch.Label: "s390x"}
		}), "s390x"},
		{"the user wins over the cluster", fromSource("fedora").with(selects("amd64")), onAMD64Cluster(v190, func(c *Cluster) {
			c.NodeSelectors = map[string]string{arch.Label: "s390x"}
		}), "amd64"},
		{"with the gate it is removed", fromSource("fedora").with(selects("amd64")), onAMD64Cluster(v190, cross), ""},
		{"1.8 has no such gate", fromSource("fedora").with(selects("amd64")), onAMD64Cluster(v184, cross), "amd64"},
	} {
		got := Decide(tc.machine, tc.cluster)
		if got.NodeSelector[arch.Label] != tc.want {
			t.Errorf("%s: want %q, got %v", tc.reason, tc.want, got.NodeSelector)
		}
	}
}

// TestVersions: what a release of HCO carries, and which preferences KubeVirt ships.
func TestVersions(t *testing.T) {
	t.Parallel()
	for minor, want := range map[int][]Version{
		15: nil, 16: {{6, 2}, {6, 6}}, 17: {{7, 4}}, 18: {{8, 4}}, 19: {{9, 0}}, 20: {{9, 0}}, 0: {{9, 0}},
	} {
		if got := CarriedBy(minor); !slices.Equal(got, want) {
			t.Errorf("HCO 1.%d: want %v, got %v", minor, want, got)
		}
	}
	for text, want := range map[string]Version{"v1.8.4": v184, "1.9.0": v190, "v1.6.2-64-g": {6, 2}, "main": {}, "v2.0.0": {}, "": {}} {
		if got, ok := ParseVersion(text); got != want || ok != (want != Version{}) {
			t.Errorf("%q: want %v, got %v", text, want, got)
		}
	}
	for v, want := range map[Version][2]int{v162: {55, 54}, v174: {55, 54}, v184: {65, 54}, v190: {65, 54}} {
		if got := bundle().of(v); len(got.Instancetypes) != want[0] || len(got.Preferences) != want[1] {
			t.Errorf("%v: want %d instancetypes and preferences, got %d and %d", v, want, len(got.Instancetypes), len(got.Preferences))
		}
	}
}
