package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
	"github.com/goldenarch/goldenarch/test/answers"
)

// kubevirtRelease is a release of KubeVirt whose rules about architectures differ from the one
// before, with the files of testdata/programs/kubevirt that fit it.
type kubevirtRelease struct {
	tag, file string
	stored    int // how many cases are stored
}

var kubevirtReleases = []kubevirtRelease{
	{"v1.6.2", "before_1.7.go", 100},
	{"v1.6.4", "before_1.7.go", 100},
	{"v1.7.4", "from_1.7.go", 100},
	{"v1.8.4", "from_1.7.go", 100},
	{"v1.9.0", "from_1.7.go", 150},
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
	var ships []bundle
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
			"tools/goldenarch-oracle/boots.go": "kubevirt/" + r.file, "pkg/virt-controller/services/goldenarch_oracle.go": "kubevirt/services_" + r.file,
		}, true)
		if err != nil {
			return err
		}
		p, err := start("kubevirt", binary, ".")
		if err != nil {
			return err
		}
		ships, err = askBundle(p, r.tag, ships)
		failed = errors.Join(failed, err, o.machinesOf(r, answers.Commit{Ref: r.tag, Commit: commit}, p), p.stop())
	}
	if o.fuzz > 0 || o.releases != "" || failed != nil {
		return failed
	}
	return writeBundles(filepath.Join(o.testdata, "..", "..", "..", "internal", "operators", "kubevirt", "bundled.json"), ships)
}

// machinesOf asks one release.
func (o options) machinesOf(r kubevirtRelease, of answers.Commit, p *program) error {
	const shown = 5 // of the differences
	var cases []answers.MachineCase
	different, n, falseStarts := 0, r.stored, map[string]int{}
	if o.fuzz > 0 {
		n = o.fuzz
	}
	for i := range n {
		c := answers.MachineCase{Name: fmt.Sprintf("%05d", i), Request: generateMachine(o.seed, i)}
		diff, err := askMachine(p, of.Ref, &c)
		if err != nil {
			return err
		}
		if diff != "" {
			if different++; different <= shown {
				if err := showMachine(p, of.Ref, o.seed, c, diff); err != nil {
					return err
				}
			}
		}
		fields, err := answers.FalseStart(of.Ref, c)
		if err != nil {
			return err
		}
		for _, field := range fields {
			falseStarts[field]++
		}
		cases = append(cases, c)
	}
	header := answers.HeaderOfMachines(of, o.seed, cases)
	fmt.Fprintf(os.Stdout, "%s: %d machines of seed %d, %d differences, false starts: %v\n", of.Ref, n, o.seed, different, falseStarts)
	for _, what := range slices.Sorted(maps.Keys(header.Coverage)) {
		fmt.Fprintf(os.Stdout, "  %5d %s\n", header.Coverage[what], what)
	}
	var err error
	if o.fuzz == 0 {
		err = errors.Join(write(filepath.Join(o.testdata, "machines", of.Ref+".jsonl"), header, cases), o.storePreferences(p, of))
	}
	if different > 0 {
		err = errors.Join(err, errDiffer)
	}
	return err
}

// showMachine prints a difference, with what of the case it needs.
func showMachine(p *program, release string, seed uint64, c answers.MachineCase, diff string) error {
	first := changed(diff)
	request, err := shrunk(c.Request, func(request answers.MachineRequest) bool {
		next := answers.MachineCase{Request: request}
		diff, err := askMachine(p, release, &next)
		return err == nil && diff != "" && slices.Equal(changed(diff), first)
	})
	if err != nil {
		return err
	}
	data, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("cannot write the case: %w", err)
	}
	fmt.Fprintf(os.Stdout, "%s %s of seed %d (-KubeVirt +goldenarch):\n%s%s\n", release, c.Name, seed, diff, data)
	return nil
}

// changed returns the lines of a difference that only one side has.
func changed(diff string) []string {
	return slices.DeleteFunc(strings.Split(diff, "\n"), func(line string) bool { return !strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "+") })
}

// askMachine asks a program about a case, and returns how the decision of goldenarch differs.
func askMachine(p *program, release string, c *answers.MachineCase) (string, error) {
	if err := p.ask(c.Request, &c.Answer); err != nil {
		return "", err
	}
	diff, err := answers.CompareMachine(release, *c)
	if err != nil {
		return "", fmt.Errorf("cannot compare case %s: %w", c.Name, err)
	}
	return diff, nil
}

// storePreferences stores what a release makes of a machine of each architecture with each preference that it ships.
func (o options) storePreferences(p *program, of answers.Commit) error {
	var cases []answers.MachineCase
	var ships struct {
		Preferences map[string]json.RawMessage `json:"preferences"`
	}
	if err := p.ask(map[string]bool{"ships": true}, &ships); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(ships.Preferences)) {
		for _, architecture := range kubevirt.Architectures {
			c := answers.MachineCase{Name: name + "/" + architecture, Request: answers.WithPreference(name, architecture)}
			if err := p.ask(c.Request, &c.Answer); err != nil {
				return err
			}
			c.Request = answers.MachineRequest{} // [answers.WithPreference] makes it again
			cases = append(cases, c)
		}
	}
	return write(filepath.Join(o.testdata, "preferences", of.Ref+".jsonl"), answers.HeaderOfMachines(of, 0, cases), cases)
}

// bundle is what a release of KubeVirt ships.
type bundle struct {
	Minor         int                              `json:"minor"`
	Instancetypes map[string]kubevirt.Instancetype `json:"instancetypes"`
	Preferences   map[string]kubevirt.Preference   `json:"preferences"`
}

// askBundle asks a program for what its release ships, and leaves out what does not differ from the ones before.
func askBundle(p *program, tag string, before []bundle) ([]bundle, error) {
	version, _ := kubevirt.ParseVersion(tag)
	one := bundle{Minor: version.Minor}
	if err := p.ask(map[string]bool{"ships": true}, &one); err != nil {
		return nil, err
	}
	for _, older := range slices.Backward(before) {
		leaveOut(one.Instancetypes, older.Instancetypes)
		leaveOut(one.Preferences, older.Preferences)
	}
	if len(one.Instancetypes)+len(one.Preferences) == 0 {
		return before, nil
	}
	return append(before, one), nil
}

// writeBundles writes what the releases ship, an object a line.
func writeBundles(file string, list []bundle) error {
	var out strings.Builder
	out.WriteString("[\n")
	for i, one := range list {
		fmt.Fprintf(&out, "{\"minor\": %d,\n\"instancetypes\": %s,\n\"preferences\": %s\n}", one.Minor, lines(one.Instancetypes), lines(one.Preferences))
		if i < len(list)-1 {
			out.WriteString(",\n")
		}
	}
	out.WriteString("\n]\n")
	if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
		return fmt.Errorf("cannot write what KubeVirt ships: %w", err)
	}
	return nil
}

func lines[T any](of map[string]T) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		data, err := json.Marshal(of[name])
		if err != nil {
			panic(err) // what was decoded can be encoded
		}
		out = append(out, fmt.Sprintf("%q: %s", name, data))
	}
	return "{\n" + strings.Join(out, ",\n") + "\n}"
}

func leaveOut[T any](from, before map[string]T) {
	for name, one := range before {
		if other, is := from[name]; is && lines(map[string]T{name: one}) == lines(map[string]T{name: other}) {
			delete(from, name)
		}
	}
}

// machineGenerator makes machines and the state of a cluster.
type machineGenerator struct{ *rand.Rand }

func (g machineGenerator) chance(percent int) bool { return g.IntN(100) < percent }

func (g machineGenerator) one(list ...string) string { return list[g.IntN(len(list))] }

// generateMachine makes the case of a number: the same number and seed give the same case.
func generateMachine(seed uint64, n int) answers.MachineRequest {
	g := machineGenerator{rand.New(rand.NewPCG(seed, uint64(n)))} //nolint:gosec // the number of a case is not negative
	encode := func(value any) json.RawMessage {
		data, err := json.Marshal(value)
		if err != nil {
			panic(err) // maps of texts and numbers
		}
		return data
	}
	out := answers.MachineRequest{Machine: encode(g.object()), KubeVirt: encode(g.kubevirt())}
	var objects []json.RawMessage
	for _, one := range slices.Concat(g.sources(), g.volumes(), g.preferences(), g.instancetypes()) {
		objects = append(objects, encode(one))
	}
	out.Objects = mentioned(out.Machine, objects)
	return out
}

// mentioned returns the objects whose names the machine, or one of them, mentions. The others say nothing.
func mentioned(machine json.RawMessage, objects []json.RawMessage) []json.RawMessage {
	text, count := string(machine), -1
	var out []json.RawMessage
	for count < len(out) {
		count = len(out)
		out = nil
		for _, raw := range objects {
			at, err := kubevirt.ReadHead(raw)
			if err != nil {
				panic(err) // the generator made it
			}
			if strings.Contains(text, fmt.Sprintf("%q", at.Metadata.Name)) {
				out = append(out, raw)
			}
		}
		text = string(machine)
		for _, raw := range out {
			text += string(raw)
		}
	}
	return out
}

type object = map[string]any

// object makes an object of one of KubeVirt's kinds.
func (g machineGenerator) object() object {
	vm := g.machine()
	own, _ := vm["spec"].(object)
	template := own["template"]
	instance, _ := template.(object)
	switch n := g.IntN(10); n {
	case 0:
		return object{"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance", "metadata": vm["metadata"], "spec": instance["spec"]}
	case 1:
		return object{
			"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstanceReplicaSet", "metadata": vm["metadata"], "spec": object{"template": template},
		}
	case 2:
		return object{
			"apiVersion": "pool.kubevirt.io/v1alpha1", "kind": "VirtualMachinePool", "metadata": vm["metadata"],
			"spec": object{"virtualMachineTemplate": object{"spec": own}},
		}
	}
	return vm
}

func (g machineGenerator) machine() object {
	spec := object{}
	if g.chance(40) {
		spec["architecture"] = g.one("amd64", "arm64", "s390x", "amd64", "arm64", "ppc64le", "riscv64", "ARM64")
	}
	if g.chance(20) {
		spec["nodeSelector"] = map[string]string{g.one("kubernetes.io/arch", "disk"): g.one("amd64", "arm64")}
	}
	own := object{"runStrategy": "Halted", "template": object{"spec": spec}}
	if g.chance(50) {
		own["preference"] = g.reference("preference", g.one(
			"plain", "prefers-arm64", "requires-amd64", "both-arm64", "machine-virt", "firmware", "devices", "drawn", "drawn", "drawn",
			"fedora", "rhel.9", "rhel.9.arm64", "rhel.10.s390x", "windows.10", "windows.2k22.virtio", "ubuntu", "linux.efi", "rhel.9.dpdk", "missing",
		))
	}
	if g.chance(40) {
		own["instancetype"] = g.reference("instancetype", g.one(
			"plain", "drawn", "drawn", "drawn", "u1.medium", "u1.2xlarge", "cx1.large", "rt1.xlarge", "n1.2xlarge", "d1.large", "missing",
		))
	}
	var templates []object
	for range g.IntN(3) {
		templates = append(templates, object{
			"metadata": object{"name": fmt.Sprintf("root-%d", len(templates))}, "spec": g.dataVolume(),
		})
	}
	if templates != nil {
		own["dataVolumeTemplates"] = templates
	}
	spec["domain"] = g.domain(spec)
	return object{
		"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": object{"name": "vm", "namespace": g.one("vms", "os-images")}, "spec": own,
	}
}

// reference makes a reference to an instancetype or a preference.
func (g machineGenerator) reference(what, name string) object {
	const percentInferred = 25
	if g.chance(percentInferred) {
		out := object{"inferFromVolume": g.one("v0", "v0", "v0", "v0", "v0", "v0", "v1", "v9")}
		if g.chance(30) {
			out["inferFromVolumeFailurePolicy"] = g.one("Ignore", "Ignore", "Reject")
		}
		if g.chance(4) {
			out["kind"] = "VirtualMachine" + what
		}
		return out
	}
	out := object{"name": name}
	if g.chance(20) {
		out["kind"] = g.one("VirtualMachineCluster"+what, "virtualmachine"+what, "virtualmachine"+what+"s", "virtualmachine"+what, "Other")
	}
	return out
}

// dataVolume makes the spec of a DataVolume.
func (g machineGenerator) dataVolume() object {
	switch g.IntN(8) {
	case 0:
		return object{"source": object{"pvc": object{"namespace": g.one("vms", "os-images"), "name": g.one("named", "bare", "missing")}}, "storage": object{}}
	case 1:
		return object{"source": object{"snapshot": object{"namespace": g.one("vms", "os-images"), "name": g.one("named", "bare", "missing")}}, "storage": object{}}
	case 2:
		return object{"source": object{"blank": object{}}, "storage": object{}}
	}
	ref := object{"kind": g.one("DataSource", "DataSource", "DataSource", "datasource", "PersistentVolumeClaim")}
	ref["name"] = g.one("plain", "arm64", "amd64", "s390x", "odd", "pointer", "far", "nowhere", "gone", "missing", "snapshot")
	if g.chance(70) {
		ref["namespace"] = g.one("os-images", "vms", "other")
	}
	return object{"sourceRef": ref, "storage": object{}}
}

func (g machineGenerator) domain(spec object) object {
	devices, domain := object{}, object{}
	g.platform(domain)
	if g.chance(70) {
		g.disks(spec, devices)
	}
	g.devices(devices)
	g.memory(domain)
	domain["devices"] = devices
	return domain
}

// platform draws what a machine asks of its platform: machine type, CPU, firmware and features.
func (g machineGenerator) platform(domain object) {
	if g.chance(25) {
		domain["machine"] = object{"type": g.one("q35", "pc-q35-rhel9.2.0", "virt", "virt-7.2", "s390-ccw-virtio", "none", "")}
	}
	if g.chance(20) {
		cpu := object{"model": g.one("", "host-passthrough", "host-model", "Haswell", "z14")}
		if g.chance(50) {
			maps.Copy(cpu, object{"threads": g.IntN(3), "cores": 1, "sockets": 1 + g.IntN(4), "dedicatedCpuPlacement": g.chance(40)})
		}
		if g.chance(25) {
			cpu["features"] = []object{{"name": "f", "policy": g.one("", "require", "optional", "disable")}}
		}
		domain["cpu"] = cpu
	}
	if g.chance(20) {
		boot := object{g.one("bios", "efi"): object{}}
		if g.chance(50) {
			boot = object{"efi": object{"secureBoot": g.chance(50)}}
		}
		domain["firmware"] = object{"bootloader": boot}
	}
	if g.chance(20) {
		features := object{"smm": object{}}
		if g.chance(30) {
			features = object{"smm": object{"enabled": g.chance(50)}}
		}
		if g.chance(30) {
			features["hyperv"] = object{"relaxed": object{}, "vpindex": object{}, "runtime": object{"enabled": g.chance(50)}}
		}
		domain["features"] = features
	}
}

// disks draws disks and their volumes.
func (g machineGenerator) disks(spec, devices object) {
	var disks, volumes []object
	for i := range 1 + g.IntN(2) {
		name := fmt.Sprintf("v%d", i)
		volume := object{"name": name}
		switch g.IntN(5) {
		case 0:
			volume["persistentVolumeClaim"] = object{"claimName": g.one("named", "bare", "missing")}
		case 1:
			volume["containerDisk"] = object{"image": "registry/image:tag"}
		case 2:
			volume["dataVolume"] = object{"name": g.one("named", "bare", "missing", "of-source")}
		default:
			volume["dataVolume"] = object{"name": fmt.Sprintf("root-%d", i)}
		}
		volumes = append(volumes, volume)
		disk := object{"name": name}
		target := object{}
		if bus := g.one("", "", "virtio", "scsi", "sata", "usb"); bus != "" {
			target["bus"] = bus
		}
		if g.chance(80) {
			disk[g.one("disk", "disk", "cdrom", "lun")] = target
		}
		if g.chance(80) {
			disks = append(disks, disk)
		}
	}
	spec["volumes"] = volumes
	if disks != nil {
		devices["disks"] = disks
	}
}

// devices draws the other devices.
func (g machineGenerator) devices(devices object) {
	if g.chance(20) {
		devices["video"] = object{"type": g.one("vga", "cirrus", "virtio", "ramfb", "bochs", "other")}
	}
	if g.chance(15) {
		devices["watchdog"] = object{"name": "w", g.one("i6300esb", "diag288"): object{"action": "reset"}}
		if g.chance(40) {
			devices["watchdog"] = object{"name": "w"}
		}
	}
	if g.chance(10) {
		devices["sound"] = object{"name": "s"}
	}
	if g.chance(8) {
		devices["panicDevices"] = []object{{"model": "isa"}}
	}
}

// memory draws launch security, memory and resources.
func (g machineGenerator) memory(domain object) {
	if g.chance(8) {
		domain["launchSecurity"] = object{"sev": object{}}
	}
	switch g.IntN(6) {
	case 0:
		domain["memory"] = object{"guest": "1Gi"}
	case 1:
		domain["memory"] = object{"guest": "8Gi"}
	case 2:
		domain["resources"] = object{"requests": object{"memory": "2Gi", "cpu": g.one("1", "2", "500m")}}
	case 3:
		domain["resources"] = object{"limits": object{"memory": "4Gi", "cpu": "2"}}
	}
}

func (g machineGenerator) kubevirt() object {
	developer := object{}
	gates := []string{"PanicDevices", "WorkloadEncryptionSEV"} // which older releases ask for
	for _, gate := range []string{"MultiArchitecture", "MultiArchitecture", "MultiArchitecture", "CrossArchitectureVirtualization", "HypervStrictCheck", "VideoConfig", "VideoConfig"} {
		if g.chance(35) {
			gates = append(gates, gate)
		}
	}
	developer["featureGates"] = gates
	if g.chance(15) {
		developer["nodeSelectors"] = map[string]string{g.one("kubernetes.io/arch", "zone"): g.one("amd64", "s390x")}
	}
	configuration := object{"developerConfiguration": developer}
	if g.chance(15) {
		configuration["cpuModel"] = g.one("Haswell", "host-model")
	}
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
		out = append(out, dataSource(namespace, "snapshot", nil, object{"snapshot": object{"namespace": namespace, "name": g.one("named", "bare")}}))
		for _, one := range [][2]string{{"plain", ""}, {"arm64", "arm64"}, {"amd64", "amd64"}, {"s390x", "s390x"}, {"odd", "x86_64"}} {
			name, label := one[0], one[1]
			source := object{"pvc": object{"namespace": namespace, "name": g.one("named", "bare", "missing")}}
			if label == "" {
				out = append(out, dataSource(namespace, name, nil, source))
			} else {
				out = append(out, dataSource(namespace, name, map[string]string{"template.kubevirt.io/architecture": label}, source))
			}
		}
		for _, one := range [][3]string{
			{"pointer", "os-images", "arm64"}, {"far", "os-images", "pointer"}, {"nowhere", "", "arm64"}, {"gone", "os-images", "missing"},
		} {
			name, to := one[0], one[1:]
			labels := map[string]string{"template.kubevirt.io/architecture": "s390x"} // which KubeVirt does not read
			maps.Copy(labels, g.defaults())
			out = append(out, dataSource(namespace, name, labels, object{"dataSource": object{"namespace": to[0], "name": to[1]}}))
		}
	}
	for _, one := range out {
		if metadata, _ := one["metadata"].(object); g.chance(40) {
			labels, _ := metadata["labels"].(map[string]string)
			metadata["labels"] = joined(labels, g.defaults())
		}
	}
	return sortedObjects(out)
}

func joined(a, b map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// defaults returns labels that name an instancetype and a preference.
func (g machineGenerator) defaults() map[string]string {
	const prefix = "instancetype.kubevirt.io/default-"
	out := map[string]string{}
	if g.chance(80) {
		out[prefix+"preference"] = g.one("plain", "drawn", "both-arm64", "fedora", "windows.10", "rhel.9.arm64", "missing")
	}
	if g.chance(80) {
		out[prefix+"instancetype"] = g.one("plain", "drawn", "u1.medium", "cx1.large", "missing")
	}
	if g.chance(15) {
		out[prefix+"preference-kind"], out[prefix+"instancetype-kind"] = "VirtualMachinePreference", "VirtualMachineInstancetype"
	}
	return out
}

// volumes returns claims, snapshots and DataVolumes, of which some have labels.
func (g machineGenerator) volumes() []object {
	var out []object
	for _, namespace := range []string{"os-images", "vms"} {
		for _, name := range []string{"bare", "named"} {
			metadata := object{"namespace": namespace, "name": name}
			if name == "named" {
				metadata["labels"] = g.defaults()
			}
			out = append(out, object{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata},
				object{"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": metadata},
				object{"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataVolume", "metadata": metadata, "spec": g.dataVolume()})
		}
		out = append(out, object{
			"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataVolume", "metadata": object{"namespace": namespace, "name": "of-source"}, "spec": g.dataVolume(),
		})
	}
	return out
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
		return instancetypeObject("VirtualMachineClusterPreference", name, spec)
	}
	return []object{
		preference("plain", object{}),
		preference("prefers-arm64", object{"preferredArchitecture": "arm64"}),
		preference("requires-amd64", object{"requirements": object{"architecture": "amd64"}}),
		preference("both-arm64", object{"preferredArchitecture": "arm64", "requirements": object{"architecture": "arm64"}}),
		preference("machine-virt", object{"machine": object{"preferredMachineType": "virt"}}),
		preference("firmware", object{"firmware": g.firmware()}),
		preference("devices", object{"devices": object{"preferredDiskBus": "sata", "preferredCdromBus": "scsi", "preferredVideoType": "vga"}}),
		preference("drawn", g.preference()),
		instancetypeObject("VirtualMachinePreference", "drawn", g.preference()),
	}
}

func instancetypeObject(kind, name string, spec object) object {
	metadata := object{"name": name}
	if !strings.Contains(kind, "Cluster") {
		metadata["namespace"] = "vms"
	}
	return object{"apiVersion": "instancetype.kubevirt.io/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}
}

func (g machineGenerator) firmware() object {
	out := object{}
	switch g.IntN(4) {
	case 0:
		out["preferredUseBios"] = g.chance(80)
	case 1:
		out["preferredUseEfi"] = g.chance(80)
	case 2:
		out["preferredEfi"] = object{"secureBoot": g.chance(50)}
	case 3:
		out["preferredEfi"] = object{"persistent": true}
	}
	if g.chance(30) {
		out["preferredUseSecureBoot"] = g.chance(50)
	}
	return out
}

func (g machineGenerator) preference() object {
	out, devices := object{}, object{}
	if g.chance(40) {
		out["firmware"] = g.firmware()
	}
	if g.chance(50) {
		out["features"] = object{"preferredSmm": object{}}
	}
	if g.chance(60) {
		devices["preferredDiskBus"] = g.one("virtio", "sata", "scsi")
	}
	if g.chance(30) {
		devices["preferredLunBus"], devices["preferredCdromBus"] = g.one("scsi", "sata"), g.one("scsi", "sata")
	}
	if g.chance(30) {
		devices["preferredVideoType"] = g.one("virtio", "vga")
	}
	if g.chance(15) {
		devices["preferredPanicDeviceModel"] = "isa"
	}
	out["devices"] = devices
	if g.chance(30) {
		cpu := object{"preferredCPUTopology": g.one("sockets", "cores", "threads", "spread", "any", "preferSpread")}
		if g.chance(50) {
			cpu["spreadOptions"] = object{"across": g.one("SocketsCores", "CoresThreads", "SocketsCoresThreads"), "ratio": 1 + g.IntN(4)}
		}
		if g.chance(20) {
			cpu["preferredCPUFeatures"] = []object{{"name": g.one("f", "other"), "policy": "require"}}
		}
		out["cpu"] = cpu
	}
	if g.chance(20) {
		out["preferredArchitecture"] = g.one("amd64", "arm64", "s390x")
	}
	if g.chance(30) {
		requirements := object{}
		if g.chance(50) {
			requirements["cpu"] = object{"guest": 1 + g.IntN(3)}
		}
		if g.chance(50) {
			requirements["memory"] = object{"guest": g.one("1Gi", "2Gi", "3Gi")}
		}
		if g.chance(40) {
			requirements["architecture"] = g.one("amd64", "arm64", "s390x")
		}
		out["requirements"] = requirements
	}
	return out
}

func (g machineGenerator) instancetypes() []object {
	return []object{
		instancetypeObject("VirtualMachineClusterInstancetype", "plain", object{"cpu": object{"guest": 2}, "memory": object{"guest": "4Gi"}}),
		instancetypeObject("VirtualMachineClusterInstancetype", "drawn", g.instancetype()),
		instancetypeObject("VirtualMachineInstancetype", "drawn", g.instancetype()),
	}
}

func (g machineGenerator) instancetype() object {
	cpu, memory := object{"guest": 1 + g.IntN(8)}, object{"guest": g.one("1Gi", "2Gi", "8Gi")}
	out := object{"cpu": cpu, "memory": memory}
	if g.chance(25) {
		cpu["model"] = g.one("host-passthrough", "Haswell", "z14")
	}
	if g.chance(20) {
		cpu["dedicatedCPUPlacement"] = g.chance(80)
	}
	if g.chance(25) {
		out["nodeSelector"] = map[string]string{g.one("kubernetes.io/arch", "disk"): g.one("amd64", "arm64")}
	}
	if g.chance(10) {
		out["schedulerName"] = "own"
	}
	if g.chance(10) {
		out["launchSecurity"] = object{"sev": object{}}
	}
	return out
}
