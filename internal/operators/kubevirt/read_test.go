package kubevirt

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRead: what counts of the objects that machines depend on.
func TestRead(t *testing.T) {
	t.Parallel()
	configuration := func(data []byte) (any, error) { c, err := ReadConfiguration(data); c.Types = nil; return c, err }
	preference := func(data []byte) (any, error) { return ReadSpec[Preference](data) }
	source := func(data []byte) (any, error) { return ReadDataSource(data) }
	for _, tc := range []struct {
		reason string
		read   func([]byte) (any, error)
		data   string
		want   any // nil for an error
	}{
		{
			"the default of the spec wins over a status from before", configuration,
			`{"spec":{"configuration":{"architectureConfiguration":{"defaultArchitecture":"arm64"}}},"status":{"defaultArchitecture":"amd64"}}`,
			Configuration{Default: "arm64"},
		},
		{
			"version, gates, machine types and selectors", configuration,
			`{"spec":{"configuration":{"machineType":"q35","emulatedMachines":["q35*"],"developerConfiguration":{"nodeSelectors":{"a":"b"},
			"featureGates":["Root","MultiArchitecture"]}}},"status":{"defaultArchitecture":"s390x","observedKubeVirtVersion":"v1.8.4"}}`,
			Configuration{
				Version: v184, Default: "s390x", MultiArchitecture: true, FeatureGates: []string{"Root", "MultiArchitecture"},
				MachineType: "q35", EmulatedMachines: []string{"q35*"},
				NodeSelectors: map[string]string{"a": "b"},
			},
		},
		{"a version that is a commit is unknown", configuration, `{"status":{"observedKubeVirtVersion":"{version}"}}`, Configuration{}},
		{"a wrong type is an error", configuration, `{"spec":{"configuration":{"developerConfiguration":{"featureGates":"MultiArchitecture"}}}}`, nil},
		{
			"both architectures of a preference", preference,
			`{"spec":{"preferredArchitecture":"arm64","requirements":{"architecture":"amd64"},"machine":{"preferredMachineType":"virt"}}}`,
			Preference{Architecture: "arm64", Requirements: Requirements{Architecture: "amd64"}, Machine: PreferredMachine{Type: "virt"}},
		},
		{"a wrong type is an error", preference, `{"spec":{"preferredArchitecture":["arm64"]}}`, nil},
		{
			"the labels of a DataSource and its reference", source,
			`{"metadata":{"labels":{"template.kubevirt.io/architecture":"arm64","instancetype.kubevirt.io/default-preference":"fedora"}},
			"spec":{"source":{"dataSource":{"name":"fedora-arm64"}}}}`,
			DataSource{Label: "arm64", Defaults: Defaults{Preference: Matcher{Name: "fedora"}}, Reference: &Key{Name: "fedora-arm64"}},
		},
		{
			"the API server drops a key in other letters", preference,
			`{"Spec":{"preferredArchitecture":"s390x"},"spec":{"PreferredArchitecture":"arm64","requirements":{"Architecture":"amd64"}}}`,
			Preference{},
		},
		{
			"also one of the KubeVirt CR", configuration,
			`{"spec":{"configuration":{"architectureConfiguration":{"defaultarchitecture":"arm64"}}},"status":{"defaultArchitecture":"amd64"}}`,
			Configuration{Default: "amd64"},
		},
		{"and of a DataSource", source, `{"metadata":{"Labels":{"template.kubevirt.io/architecture":"arm64"}}}`, DataSource{}},
		{"another source is no reference", source, `{"spec":{"source":{"pvc":{"namespace":"a","name":"b"}}}}`, DataSource{Claim: &Key{"a", "b"}}},
		{"a wrong type is an error", source, `{"metadata":{"labels":["arm64"]}}`, nil},
	} {
		got, err := tc.read([]byte(tc.data))
		if (err != nil) != (tc.want == nil) {
			t.Errorf("%s: unexpected error: %v", tc.reason, err)
		} else if err == nil {
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		}
	}
}

// TestMachineTypes: a KubeVirt CR states machine types for all architectures, or for one, and
// HCO does the latter (hco controllers/handlers/kubevirt.go: getArchConfiguration).
func TestMachineTypes(t *testing.T) {
	t.Parallel()
	const stated = `{"spec":{"configuration":{"architectureConfiguration":{
		"amd64":{"machineType":"pc-q35-rhel9.6.0","emulatedMachines":["q35*","pc-q35*"]},"arm64":{"emulatedMachines":["virt-9*"]}}}}}`
	machine := func(architecture, machineType string) Machine {
		return Machine{Kind: VirtualMachine, Spec: InstanceSpec{Architecture: architecture, Domain: Domain{Machine: &MachineType{Type: machineType}}}}
	}
	for _, tc := range []struct {
		reason, cr string
		machine    Machine
		want       string
		refused    bool
	}{
		{"the default of one architecture", stated, machine("amd64", ""), "pc-q35-rhel9.6.0", false},
		{"the default stays, and the stated list refuses it", stated, machine("arm64", ""), "virt", true},
		{"accepted by the stated list", stated, machine("arm64", "virt-9.2"), "virt-9.2", false},
		{"nothing is stated for this one", stated, machine("s390x", ""), "s390-ccw-virtio", false},
		{"an unknown one counts as amd64", stated, machine("riscv64", ""), "pc-q35-rhel9.6.0", false},
		{
			"one for all wins", `{"spec":{"configuration":{"machineType":"q35","architectureConfiguration":{"arm64":{"machineType":"virt-9"}}}}}`,
			machine("arm64", ""), "q35", true,
		},
	} {
		c, err := ReadConfiguration([]byte(tc.cr))
		if err != nil {
			t.Fatal(err)
		}
		c.Version = v190
		d := Decide(tc.machine, Cluster{Configuration: c})
		if d.MachineType != tc.want || (len(d.Refused) > 0) != tc.refused {
			t.Errorf("%s: got %q, refused %v", tc.reason, d.MachineType, d.Refused)
		}
	}
}

// TestReadMachineKeys: the API server drops a key that differs in its letters from that of the
// schema, so the machine does not get what such a key says.
func TestReadMachineKeys(t *testing.T) {
	t.Parallel()
	for kind, data := range map[Kind]string{
		VirtualMachine: `{"spec":{"template":{"spec":{"Architecture":"arm64"}}}}`,
		Instance:       `{"spec":{"Architecture":"arm64"}}`,
		ReplicaSet:     `{"spec":{"template":{"Spec":{"architecture":"arm64"}}}}`,
		Pool:           `{"spec":{"virtualmachinetemplate":{"spec":{"template":{"spec":{"architecture":"arm64"}}}}}}`,
	} {
		m, err := ReadMachine(kind, []byte(data))
		if err != nil || m.Spec.Architecture != "" {
			t.Errorf("%s: got %q, %v", kind, m.Spec.Architecture, err)
		}
	}
	cron, err := ReadCron([]byte(`{"spec":{"ManagedDataSource":"a"}}`))
	if err != nil || cron.DataSource != "" {
		t.Errorf("a cron: got %q, %v", cron.DataSource, err)
	}
}
