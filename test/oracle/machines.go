package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/oracle"
)

// kubevirtRelease is a release of KubeVirt whose rules about architectures differ from the one
// before, with the file of testdata/programs/kubevirt that fits it.
type kubevirtRelease struct {
	tag, file string
	stored    int // how many cases are stored
}

var kubevirtReleases = []kubevirtRelease{
	{"v1.6.2", "before_1.9.go", 0},
	{"v1.6.4", "before_1.9.go", 150},
	{"v1.7.4", "before_1.9.go", 200},
	{"v1.8.4", "before_1.9.go", 0},
	{"v1.9.0", "from_1.9.go", 150},
}

// machines asks each release of KubeVirt what it makes of generated machines. It stores the
// answers, or compares them with the decisions of goldenarch and stores nothing.
func (o options) machines() error {
	programs, err := filepath.Abs(filepath.Join("testdata", "programs"))
	if err != nil {
		return fmt.Errorf("cannot find the programs: %w", err)
	}
	b := builder{directory: o.work, programs: programs}
	var failed error
	for _, r := range kubevirtReleases {
		if o.releases != "" && !slices.Contains(strings.Split(o.releases, ","), r.tag) || o.fuzz+r.stored == 0 {
			continue
		}
		tree, commit, err := b.checkout("kubevirt-"+r.tag, o.kubevirt, r.tag)
		if err != nil {
			return err
		}
		binary, err := b.build(tree, "tools/goldenarch-oracle", map[string]string{
			"tools/goldenarch-oracle/main.go": "kubevirt/main.go", "tools/goldenarch-oracle/serve.go": "common/serve.go",
			"tools/goldenarch-oracle/gate.go": "kubevirt/" + r.file,
		}, true)
		if err != nil {
			return err
		}
		failed = errors.Join(failed, o.machinesOf(r, oracle.Commit{Ref: r.tag, Commit: commit}, binary))
	}
	return failed
}

// machinesOf asks one release.
func (o options) machinesOf(r kubevirtRelease, of oracle.Commit, binary string) error {
	p, err := start("kubevirt", binary, ".")
	if err != nil {
		return err
	}
	var cases []oracle.MachineCase
	different, n := 0, r.stored
	if o.fuzz > 0 {
		n = o.fuzz
	}
	for i := range n {
		c := oracle.MachineCase{Name: fmt.Sprintf("%05d", i), Request: generateMachine(o.seed, i)}
		if err := p.ask(c.Request, &c.Answer); err != nil {
			return err
		}
		diff, err := oracle.CompareMachine(of.Ref, c)
		if err != nil {
			return err
		}
		if diff != "" {
			if different++; different <= 5 {
				line, err := json.Marshal(c)
				fmt.Fprintf(os.Stdout, "%s %s (-KubeVirt +goldenarch):\n%s%s\n", of.Ref, c.Name, diff, line)
				if err != nil {
					return fmt.Errorf("cannot write a case: %w", err)
				}
			}
		}
		cases = append(cases, c)
	}
	fmt.Fprintf(os.Stdout, "%s: %d machines, %d differences\n", of.Ref, n, different)
	if err := p.stop(); err != nil || o.fuzz > 0 {
		return err
	}
	return write(filepath.Join(o.testdata, "machines", of.Ref+".jsonl"), oracle.HeaderOfMachines(of, o.seed, cases), cases)
}

// machineGenerator makes machines and the state of a cluster.
type machineGenerator struct{ *rand.Rand }

func (g machineGenerator) chance(percent int) bool { return g.IntN(100) < percent }

func (g machineGenerator) one(list ...string) string { return list[g.IntN(len(list))] }

// generateMachine makes the case of a number: the same number and seed give the same case.
func generateMachine(seed uint64, n int) oracle.MachineRequest {
	g := machineGenerator{rand.New(rand.NewPCG(seed, uint64(n)))} //nolint:gosec // the number of a case is not negative
	encode := func(value any) json.RawMessage {
		data, err := json.Marshal(value)
		if err != nil {
			panic(err) // maps of texts and numbers
		}
		return data
	}
	out := oracle.MachineRequest{Machine: encode(g.machine()), KubeVirt: encode(g.kubevirt())}
	for _, one := range g.sources() {
		out.DataSources = append(out.DataSources, encode(one))
	}
	for _, one := range g.preferences() {
		out.Preferences = append(out.Preferences, encode(one))
	}
	return out
}

type object = map[string]any

func (g machineGenerator) machine() object {
	spec := object{"domain": g.domain()}
	if g.chance(40) {
		spec["architecture"] = g.one("amd64", "arm64", "s390x", "amd64", "arm64", "ppc64le", "riscv64", "ARM64")
	}
	if g.chance(25) {
		spec["nodeSelector"] = map[string]string{g.one("kubernetes.io/arch", "disk"): g.one("amd64", "arm64")}
	}
	own := object{"runStrategy": "Halted", "template": object{"spec": spec}}
	if g.chance(35) {
		own["preference"] = object{"name": g.one("plain", "prefers-arm64", "requires-amd64", "both-arm64", "machine-virt", "missing")}
	}
	var templates []object
	for range g.IntN(3) {
		ref := object{"kind": g.one("DataSource", "DataSource", "DataSource", "datasource", "PersistentVolumeClaim")}
		ref["name"] = g.one("plain", "arm64", "amd64", "s390x", "odd", "pointer", "far", "nowhere", "gone", "missing")
		if g.chance(70) {
			ref["namespace"] = g.one("os-images", "vms", "other")
		}
		templates = append(templates, object{
			"metadata": object{"name": fmt.Sprintf("root-%d", len(templates))}, "spec": object{"sourceRef": ref, "storage": object{}},
		})
	}
	if templates != nil {
		own["dataVolumeTemplates"] = templates
	}
	return object{
		"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": object{"name": "vm", "namespace": g.one("vms", "os-images")}, "spec": own,
	}
}

func (g machineGenerator) domain() object {
	devices, domain := object{}, object{}
	if g.chance(25) {
		domain["machine"] = object{"type": g.one("q35", "pc-q35-rhel9.2.0", "virt", "virt-7.2", "s390-ccw-virtio", "none", "")}
	}
	if g.chance(20) {
		domain["cpu"] = object{
			"threads": g.IntN(3), "cores": 1, "sockets": 1, "model": g.one("", "host-passthrough", "host-model", "Haswell"),
			"dedicatedCpuPlacement": g.chance(40),
		}
	}
	if g.chance(20) {
		boot := object{g.one("bios", "efi"): object{}}
		if g.chance(50) {
			boot = object{"efi": object{"secureBoot": g.chance(50)}}
		}
		domain["firmware"] = object{"bootloader": boot}
	}
	if g.chance(50) {
		var disks []object
		for i := range 1 + g.IntN(2) {
			target := object{}
			if bus := g.one("", "virtio", "scsi", "sata", "usb"); bus != "" {
				target["bus"] = bus
			}
			disks = append(disks, object{"name": fmt.Sprintf("d%d", i), g.one("disk", "disk", "cdrom", "lun"): target})
		}
		devices["disks"] = disks
	}
	if g.chance(20) {
		devices["video"] = object{"type": g.one("vga", "cirrus", "virtio", "ramfb", "bochs", "other")}
	}
	if g.chance(15) {
		devices["watchdog"] = object{"name": "w", g.one("i6300esb", "diag288"): object{"action": "reset"}}
	}
	if g.chance(10) {
		devices["sound"] = object{"name": "s"}
	}
	if g.chance(8) {
		devices["panicDevices"] = []object{{"model": "isa"}}
	}
	if g.chance(8) {
		domain["launchSecurity"] = object{"sev": object{}}
	}
	domain["memory"] = object{"guest": "1Gi"}
	domain["devices"] = devices
	return domain
}

func (g machineGenerator) kubevirt() object {
	developer := object{}
	gates := []string{"PanicDevices", "WorkloadEncryptionSEV"} // which older releases ask for
	for _, gate := range []string{"MultiArchitecture", "MultiArchitecture", "CrossArchitectureVirtualization"} {
		if g.chance(35) {
			gates = append(gates, gate)
		}
	}
	developer["featureGates"] = gates
	if g.chance(15) {
		developer["nodeSelectors"] = map[string]string{g.one("kubernetes.io/arch", "zone"): g.one("amd64", "s390x")}
	}
	configuration := object{"developerConfiguration": developer}
	if g.chance(8) {
		configuration["machineType"] = g.one("q35", "virt")
	}
	if g.chance(8) {
		configuration["emulatedMachines"] = []string{"q35*", "virt*"}
	}
	return object{
		"spec":   object{"configuration": configuration},
		"status": object{"phase": "Deployed", "defaultArchitecture": g.one("amd64", "amd64", "arm64", "s390x")},
	}
}

// sources returns DataSources, of which some are missing.
func (g machineGenerator) sources() []object {
	var out []object
	for _, namespace := range []string{"os-images", "vms"} {
		for name, label := range map[string]string{"plain": "", "arm64": "arm64", "amd64": "amd64", "s390x": "s390x", "odd": "x86_64"} {
			if label == "" {
				out = append(out, dataSource(namespace, name, nil, nil))
			} else {
				out = append(out, dataSource(namespace, name, map[string]string{"template.kubevirt.io/architecture": label}, nil))
			}
		}
		for name, to := range map[string][2]string{
			"pointer": {"os-images", "arm64"}, "far": {"os-images", "pointer"}, "nowhere": {"", "arm64"}, "gone": {"os-images", "missing"},
		} {
			labels := map[string]string{"template.kubevirt.io/architecture": "s390x"} // which KubeVirt does not read
			out = append(out, dataSource(namespace, name, labels, object{"dataSource": object{"namespace": to[0], "name": to[1]}}))
		}
	}
	return sortedObjects(out)
}

func dataSource(namespace, name string, labels map[string]string, source object) object {
	if source == nil {
		source = object{"pvc": object{"namespace": namespace, "name": name}}
	}
	return object{
		"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataSource",
		"metadata": object{"namespace": namespace, "name": name, "labels": labels}, "spec": object{"source": source},
	}
}

// sortedObjects sorts objects by their names, so that a case does not depend on the order of a
// map.
func sortedObjects(list []object) []object {
	key := func(o object) string {
		metadata, _ := o["metadata"].(object)
		return fmt.Sprint(metadata["namespace"], "/", metadata["name"])
	}
	slices.SortFunc(list, func(a, b object) int { return strings.Compare(key(a), key(b)) })
	return list
}

func (g machineGenerator) preferences() []object {
	preference := func(name string, spec object) object {
		return object{
			"apiVersion": "instancetype.kubevirt.io/v1beta1", "kind": "VirtualMachineClusterPreference", "metadata": object{"name": name}, "spec": spec,
		}
	}
	return []object{
		preference("plain", object{}),
		preference("prefers-arm64", object{"preferredArchitecture": "arm64"}),
		preference("requires-amd64", object{"requirements": object{"architecture": "amd64"}}),
		preference("both-arm64", object{"preferredArchitecture": "arm64", "requirements": object{"architecture": "arm64"}}),
		preference("machine-virt", object{"machine": object{"preferredMachineType": "virt"}}),
	}
}
