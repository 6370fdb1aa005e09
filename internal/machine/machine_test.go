package machine_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// read returns the objects of a text.
func read(t *testing.T, text string) []object.Object {
	t.Helper()
	items, err := (&kio.ByteReader{Reader: strings.NewReader(text), OmitReaderAnnotations: true}).Read()
	if err != nil {
		t.Fatal(err)
	}
	return object.All(items)
}

// mixed are the facts of a cluster with nodes of two architectures and the multi-arch gate on.
func mixed(release string) *v1alpha1.ClusterFactsSpec {
	f := &v1alpha1.ClusterFactsSpec{
		Release: release, WorkloadArchitectures: []string{"amd64", "arm64"}, ControlPlaneArchitectures: []string{"amd64"},
		KubeVirt: v1alpha1.FactsKubeVirt{DefaultArchitecture: "amd64", MultiArchitecture: true},
		GoldenImages: v1alpha1.FactsImages{Namespace: "os-images", Complete: true, DataSources: []v1alpha1.FactsDataSource{
			{Namespace: "os-images", Name: "any", Architectures: []string{"amd64", "arm64"}},
			{Namespace: "os-images", Name: "custom", Reference: "custom-amd64"},
			{Namespace: "os-images", Name: "custom-amd64", Label: "amd64", Architectures: []string{"amd64"}, Digest: "sha256:aa"},
			{Namespace: "os-images", Name: "custom-arm64", Label: "arm64", Architectures: []string{"arm64"}, Preference: "fedora"},
			{Namespace: "os-images", Name: "failing", Missing: "the import fails"},
			{Namespace: "os-images", Name: "idle", Uncertain: "no cron fills it"},
			{Namespace: "os-images", Name: "unlabelled-arm64", Architectures: []string{"arm64"}},
		}},
	}
	if release < "1.18" {
		f.KubeVirt.DefaultArchitecture = ""
	}
	return f
}

// vm returns a VirtualMachine that boots from a DataSource of the golden images. more are lines
// of the spec of its instance, and of its own spec if they begin with "/".
func vm(source string, more ...string) string {
	var spec, own string
	for _, line := range more {
		if rest, ok := strings.CutPrefix(line, "/"); ok {
			own += "  " + rest + "\n"
		} else {
			spec += "      " + line + "\n"
		}
	}
	return `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: a, namespace: vms}
spec:
` + own + `  dataVolumeTemplates:
  - metadata: {name: root}
    spec: {sourceRef: {kind: DataSource, namespace: os-images, name: ` + source + `}}
  template:
    spec:
` + spec + `      volumes: [{name: root, dataVolume: {name: root}}]
`
}

// withDisks returns a machine for amd64 with a DataVolume for arm64, disks and volumes.
func withDisks(disks, volumes string) string {
	return strings.Replace(vm("custom-arm64", "architecture: amd64", "domain: {devices: {disks: "+disks+"}}"),
		"{name: root, dataVolume: {name: root}}", volumes, 1)
}

// blank returns a machine whose DataVolume is blank.
func blank(vm string) string {
	return strings.Replace(vm, "sourceRef: {kind: DataSource, namespace: os-images, name: custom-arm64}", "source: {blank: {}}", 1)
}

// TestVerdicts: what goldenarch says of a machine, in the words of a report line.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	type given []func(*machine.Known)
	early := func(k *machine.Known) { k.SameCommit = true }
	nodes := func(list ...cluster.Node) func(*machine.Known) {
		return func(k *machine.Known) {
			for _, n := range list {
				k.Nodes.Known = append(k.Nodes.Known, cluster.NodeOf(n))
			}
		}
	}
	nothing := func(k *machine.Known) { k.Facts = nil }
	// from is a machine of another source, and golden a DataVolume of arm64.
	from := func(source string) string {
		return strings.Replace(vm("custom"), "sourceRef: {kind: DataSource, namespace: os-images, name: custom}", source, 1)
	}
	const golden = "---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataVolume\nmetadata: {name: golden, namespace: os-images}\n" +
		"spec: {sourceRef: {kind: DataSource, namespace: os-images, name: custom-arm64}}\n"
	image := func(index bool, of ...string) func(*machine.Known) {
		return func(k *machine.Known) {
			k.Images = map[string]machine.Image{"r.io/a:1": {Architectures: arch.Named(of...), Single: !index, Digest: "sha256:bb"}}
		}
	}
	release := func(r string) func(*machine.Known) { return func(k *machine.Known) { k.Facts = mixed(r) } }
	arm, amd := cluster.Node{Name: "arm", Count: 1, Architecture: "arm64"}, cluster.Node{Name: "amd", Count: 1, Architecture: "amd64"}
	const vmi = "apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\nmetadata: {name: a, namespace: vms}\nspec:\n"
	for _, tc := range []struct {
		reason string
		text   string
		known  given
		want   string // verdict, architecture by whom, disk, findings
	}{
		{"the default DataSource", vm("custom"), nil, "Starts amd64 by dataSource, amd64"},
		{"that of another architecture", vm("custom-arm64"), nil, "Starts arm64 by dataSource, arm64"},
		{"a race", vm("custom-arm64"), given{early}, "Depends amd64,arm64 by dataSource, arm64, GA907"},
		{"no race where both give the same", vm("custom"), given{early}, "Starts amd64 by dataSource, amd64"},
		{"no race where the machine states it", vm("custom-arm64", "architecture: arm64"), given{early}, "Starts arm64 by machine, arm64"},
		{"another architecture than its disk", vm("custom-arm64", "architecture: amd64"), nil, "Fails amd64 by machine, arm64, GA903"},
		{"the preference of 1.9", vm("custom-arm64", "/preference: {name: fedora}", "domain: {memory: {guest: 4Gi}}"), nil, "Fails amd64 by preference, arm64, GA903"},
		{
			"1.8 has no such preference", vm("custom-arm64", "/preference: {name: fedora}", "domain: {memory: {guest: 4Gi}}"),
			given{release("1.18")},
			"Fails arm64 by dataSource, arm64, GA902",
		},
		{
			"an inferred one of the machine's namespace", vm("own", "/preference: {inferFromVolume: root}") +
				"---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataSource\nmetadata:\n  name: own\n  namespace: os-images\n  labels: {" +
				"template.kubevirt.io/architecture: arm64, instancetype.kubevirt.io/default-preference: fedora, " +
				"instancetype.kubevirt.io/default-preference-kind: VirtualMachinePreference}\n",
			nil, "Unknown ? by unknown, arm64",
		},
		{"an inferred one", vm("custom-arm64", "/preference: {inferFromVolume: root}", "domain: {memory: {guest: 4Gi}}"), nil, "Fails amd64 by preference, arm64, GA903"},
		{
			"a preference that requires another one", vm("custom-arm64", "/preference: {name: fedora}", "architecture: arm64"),
			nil, "Fails arm64 by machine, arm64, GA901",
		},
		{
			"a preference of the input", vm("custom-arm64", "/preference: {name: ours}") + "---\napiVersion: instancetype.kubevirt.io/v1beta1\n" +
				"kind: VirtualMachineClusterPreference\nmetadata: {name: ours}\nspec: {preferredArchitecture: amd64}\n",
			nil, "Fails amd64 by preference, arm64, GA903",
		},
		{"a preference that nobody knows", vm("custom-arm64", "/preference: {name: ours}"), nil, "Unknown ? by unknown, arm64"},
		{"the default is unknown on 1.17", vm("unlabelled-arm64"), given{release("1.17")}, "Depends amd64,arm64 by default, arm64, GA906"},
		{"a label needs no default on 1.17", vm("custom-arm64"), given{release("1.17")}, "Starts arm64 by dataSource, arm64"},
		{"the patch release of 1.16", vm("custom-arm64"), given{release("1.16")}, "Depends amd64,arm64 by dataSource, arm64, GA906"},
		{"a KubeVirt CR states it", vm("custom-arm64") + "---\napiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: k}\n" +
			"spec: {configuration: {developerConfiguration: {featureGates: [MultiArchitecture]}}}\n" +
			"status: {observedKubeVirtVersion: v1.6.2, defaultArchitecture: arm64}\n", given{release("1.16")}, "Starts arm64 by default, arm64"},
		{
			"a KubeVirt CR without HCO has KubeVirt's own default", vm("unlabelled-arm64") + "---\napiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: k}\n",
			given{func(k *machine.Known) {
				k.Facts.KubeVirt.DefaultArchitecture = ""
				k.Facts.ControlPlaneArchitectures = []string{"s390x"}
			}},
			"Depends amd64,arm64,s390x by default, arm64, GA906",
		},
		{"the gate is off on 1.17", vm("custom-arm64", "architecture: arm64"), given{release("1.17"), func(k *machine.Known) {
			k.Facts.KubeVirt.MultiArchitecture, k.Facts.KubeVirt.DefaultArchitecture = false, "amd64"
		}}, "Fails arm64 by machine, arm64, GA901"},
		{"nobody makes the DataSource", vm("nobody"), nil, "Fails amd64 by default, ?, GA904"},
		{"a common template may have a disk that a person uploaded", vm("win2k22"), nil, "Unknown amd64,arm64 by unknown, ?"},
		{"also one of an architecture", vm("win2k22-arm64"), nil, "Unknown amd64,arm64 by unknown, ?"},
		{"SSP removes one of an architecture that the cluster lacks", vm("win2k22-s390x"), nil, "Fails amd64 by default, ?, GA904"},
		{"an upgraded cluster keeps it", vm("centos-stream8"), nil, "Unknown amd64,arm64 by unknown, ?"},
		{"its import fails", vm("failing"), nil, "Fails amd64 by default, ?, GA904"},
		{"no cron fills it", vm("idle"), nil, "Depends amd64 by default, ?, GA904"},
		{"a DataSource of the input", strings.ReplaceAll(vm("mine"), "os-images", "vms") + "---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataSource\n" +
			"metadata: {name: mine, namespace: vms, labels: {template.kubevirt.io/architecture: amd64}}\n", nil, "Starts amd64 by dataSource, amd64"},
		{
			"a cron of the input", strings.ReplaceAll(vm("mine"), "os-images", "vms") + "---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\n" +
				"metadata: {name: c, namespace: vms, labels: {template.kubevirt.io/architecture: arm64}}\nspec: {managedDataSource: mine, " +
				"template: {spec: {source: {registry: {url: 'docker://r.io/a:1'}}, storage: {resources: {requests: {storage: 5Gi}}}}}}\n", nil,
			"Depends amd64,arm64 by dataSource, arm64, GA907",
		},
		{"a DataSource elsewhere", strings.ReplaceAll(vm("mine"), "os-images", "vms"), nil, "Unknown amd64,arm64 by unknown, ?"},
		{"an import of any architecture", vm("any"), nil, "Depends amd64 by default, amd64,arm64, GA906"},
		{
			"the node selector asks for another one", vm("custom-arm64", "nodeSelector: {kubernetes.io/arch: amd64}"),
			nil, "Fails arm64 by dataSource, arm64, GA905",
		},
		{"no such node", vm("custom-arm64"), given{nodes(amd)}, "Fails arm64 by dataSource, arm64, GA905"},
		{"such a node", vm("custom-arm64"), given{nodes(amd, arm)}, "Starts arm64 by dataSource, arm64"},
		{"its label is missing", vm("custom-arm64", "nodeSelector: {disk: ssd}"), given{nodes(amd, arm)}, "Fails arm64 by dataSource, arm64, GA905"},
		{
			"the affinity rules it out", vm("custom-arm64", "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "+
				"{nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}]}}}"),
			nil, "Fails arm64 by dataSource, arm64, GA905",
		},
		{
			"sata on arm64", vm("custom-arm64", "domain: {devices: {disks: [{name: root, disk: {bus: sata}}]}}"),
			nil, "Fails arm64 by dataSource, arm64, GA902",
		},
		{
			"cross-architecture virtualization", vm("custom-arm64", "architecture: arm64", "nodeSelector: {kubernetes.io/arch: arm64}") +
				"---\napiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: k}\nspec: {configuration: {developerConfiguration: " +
				"{featureGates: [CrossArchitectureVirtualization]}}}\nstatus: {observedKubeVirtVersion: v1.9.0, defaultArchitecture: amd64}\n", nil,
			"Depends arm64 by machine, arm64, GA908",
		},
		{
			"KubeVirt 1.8 does not know that feature gate", vm("custom-arm64", "architecture: arm64", "nodeSelector: {kubernetes.io/arch: arm64}") +
				"---\napiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: k}\nspec: {configuration: {developerConfiguration: " +
				"{featureGates: [CrossArchitectureVirtualization]}}}\nstatus: {observedKubeVirtVersion: v1.8.4, defaultArchitecture: amd64}\n", nil,
			"Starts arm64 by machine, arm64",
		},
		{
			"a namespaced preference of the name is another one", nowhere(vm("custom", "/preference: {name: fedora}", "domain: {memory: {guest: 4Gi}}")) + "---\n" +
				preference("VirtualMachinePreference", "fedora", "preferredArchitecture: arm64, requirements: {architecture: arm64}"),
			nil, "Starts amd64 by preference, amd64",
		},
		{
			"a cluster preference of the name is another one", nowhere(vm("custom", "/preference: {name: ours, kind: VirtualMachinePreference}")) + "---\n" +
				preference("VirtualMachineClusterPreference", "ours", "preferredArchitecture: arm64"),
			nil, "Unknown ? by unknown, amd64",
		},
		{
			"KubeVirt ships no namespaced preference", nowhere(vm("custom-arm64", "/preference: {name: fedora, kind: virtualmachinepreferences}")),
			nil, "Unknown ? by unknown, arm64",
		},
		{
			"a pool is refused by one default, and never starts with the other",
			pool(vm("any", "/preference: {name: ours}", "domain: {cpu: {threads: 2, dedicatedCpuPlacement: true}}")) + "---\n" +
				preference("VirtualMachineClusterPreference", "ours", "preferredArchitecture: arm64"),
			given{release("1.17")},
			"Fails arm64 by preference, amd64,arm64, GA902 GA906",
		},
		{
			"a container disk", vmi + "  volumes: [{name: r, containerDisk: {image: 'r.io/a:1'}}]\n",
			given{image(true, "amd64", "arm64")},
			"Starts amd64 by default, amd64,arm64",
		},
		{
			"an index without the architecture", vmi + "  volumes: [{name: r, containerDisk: {image: 'r.io/a:1'}}]\n",
			given{image(true, "arm64")},
			"Fails amd64 by default, arm64, GA903",
		},
		{
			"a kernel", vmi + "  domain: {firmware: {kernelBoot: {container: {image: 'r.io/a:1'}}}}\n",
			given{image(false, "arm64")},
			"Fails amd64 by default, arm64, GA903",
		},
		{"a registry source of an architecture", strings.Replace(vm("x"), "{sourceRef: {kind: DataSource, namespace: os-images, name: x}}",
			"{source: {registry: {url: 'docker://r.io/a:1', platform: {architecture: arm64}}}}", 1), nil, "Fails amd64 by default, arm64, GA903"},
		{
			"a registry source without an architecture of the nodes", strings.Replace(vm("x"), "{sourceRef: {kind: DataSource, namespace: os-images, name: x}}",
				"{source: {registry: {url: 'docker://r.io/a:1'}}}", 1),
			given{image(true, "ppc64le", "s390x")},
			"Fails amd64 by default, ?, GA904",
		},
		{
			"that the image lacks", strings.Replace(vm("x", "architecture: arm64"), "{sourceRef: {kind: DataSource, namespace: os-images, name: x}}",
				"{source: {registry: {url: 'docker://r.io/a:1', platform: {architecture: arm64}}}}", 1),
			given{image(true, "amd64")},
			"Fails arm64 by machine, arm64, GA904",
		},
		{
			"a blank disk", strings.Replace(vm("x"), "{sourceRef: {kind: DataSource, namespace: os-images, name: x}}", "{source: {blank: {}}}", 1), nil,
			"Starts amd64 by default, ?",
		},
		{
			"a volume without a disk entry boots", withDisks("[{name: init, disk: {}}]", "{name: init, cloudInitNoCloud: {}}, {name: root, dataVolume: {name: root}}"),
			nil, "Fails amd64 by machine, arm64, GA903",
		},
		{
			"a volume without a disk entry comes after the disks", withDisks("[{name: net, disk: {}}]",
				"{name: root, dataVolume: {name: root}}, {name: net, containerDisk: {image: 'r.io/a:1'}}"),
			given{image(false, "amd64")},
			"Starts amd64 by machine, arm64 amd64",
		},
		{
			"a volume that is a file system does not boot", withDisks("[{name: net, cdrom: {}}], filesystems: [{name: root, virtiofs: {}}]",
				"{name: root, dataVolume: {name: root}}, {name: net, containerDisk: {image: 'r.io/a:1'}}"),
			given{image(false, "amd64")},
			"Starts amd64 by machine, arm64 amd64",
		},
		{
			"a CD-ROM boots after a blank disk", blank(withDisks("[{name: root, disk: {}}, {name: iso, cdrom: {}}]",
				"{name: root, dataVolume: {name: root}}, {name: iso, persistentVolumeClaim: {claimName: x}}")),
			nil, "Unknown amd64 by machine, ? ?",
		},
		{
			"a CD-ROM boots after a blank disk with the lowest bootOrder", blank(withDisks(
				"[{name: root, bootOrder: 1, disk: {}}, {name: iso, bootOrder: 2, cdrom: {}}]",
				"{name: root, dataVolume: {name: root}}, {name: iso, containerDisk: {image: 'r.io/a:1'}}")),
			given{image(false, "arm64")},
			"Fails amd64 by machine, ? arm64, GA903",
		},
		{
			"a CD-ROM alone boots", withDisks("[{name: root, cdrom: {}}]", "{name: root, dataVolume: {name: root}}"),
			nil, "Fails amd64 by machine, arm64, GA903",
		},
		{
			"a disk boots before a CD-ROM", withDisks("[{name: iso, cdrom: {}}, {name: root, disk: {}}]",
				"{name: root, dataVolume: {name: root}}, {name: iso, persistentVolumeClaim: {claimName: x}}"),
			nil, "Fails amd64 by machine, arm64 ?, GA903",
		},
		{
			"only a volume without an image has a bootOrder", withDisks("[{name: root, disk: {}}, {name: init, bootOrder: 1, disk: {}}]",
				"{name: root, dataVolume: {name: root}}, {name: init, cloudInitNoCloud: {}}"),
			nil, "Unknown amd64 by machine, arm64",
		},
		{"the disk with the lowest bootOrder", strings.Replace(vm("custom-arm64", "architecture: amd64",
			"domain: {devices: {disks: [{name: root, bootOrder: 2, disk: {}}, {name: net, bootOrder: 1, disk: {}}]}}"),
			"volumes: [", "volumes: [{name: net, persistentVolumeClaim: {claimName: x}}, ", 1), nil, "Unknown amd64 by machine, ? arm64"},
		{
			"a volume that only the cluster has", vmi + "  volumes: [{name: r, persistentVolumeClaim: {claimName: x}}]\n",
			nil, "Unknown amd64 by default, ?",
		},
		{"a pool", pool(vm("custom-arm64")), nil, "Starts arm64 by dataSource, arm64"},
		{
			"a claim of a DataVolume of the input", from("source: {pvc: {namespace: os-images, name: golden}}") + golden, nil,
			"Fails amd64 by default, arm64, Exists - by , arm64, GA903",
		},
		{
			"a snapshot of it", from("source: {snapshot: {name: s, namespace: os-images}}") + golden +
				"---\napiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata: {name: s, namespace: os-images}\n" +
				"spec: {source: {persistentVolumeClaimName: golden}}\n",
			nil, "Fails amd64 by default, arm64, Exists - by , arm64, GA903",
		},
		{
			"a DataSource of it", from("sourceRef: {kind: DataSource, name: ours, namespace: os-images}") + golden +
				"---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataSource\nmetadata: {name: ours, namespace: os-images}\n" +
				"spec: {source: {pvc: {namespace: os-images, name: golden}}}\n",
			nil, "Fails amd64 by default, arm64, Exists - by , arm64, GA903",
		},
		{
			"a DataVolume that is its own source ends somewhere", from("source: {pvc: {namespace: os-images, name: golden}}") +
				strings.Replace(golden, "sourceRef: {kind: DataSource, namespace: os-images, name: custom-arm64}", "source: {pvc: {name: golden}}", 1),
			nil, "Unknown amd64 by default, ?, Unknown - by , ?",
		},
		{
			"a control plane without virt-handler does not count", vm("custom-arm64"), given{nodes(
				cluster.Node{Name: "cp", Count: 1, Architecture: "arm64"},
				cluster.Node{Name: "w", Count: 1, Architecture: "amd64", Labels: map[string]string{"kubevirt.io/schedulable": "true"}},
			)}, "Fails arm64 by dataSource, arm64, GA905",
		},
		{
			"nodes of Git have no such label", vm("custom-arm64"), given{nodes(
				cluster.Node{Name: "cp", Count: 1, Architecture: "arm64"}, cluster.Node{Name: "w", Count: 1, Architecture: "amd64"},
			)}, "Starts arm64 by dataSource, arm64",
		},
		{
			"an invalid term selects nothing", vm("custom", "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "+
				"{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Gt, values: ['-1']}]}]}}}"),
			nil, "Fails amd64 by dataSource, amd64, GA905",
		},
		{
			"and another term still counts", vm("custom", "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "+
				"{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Gt, values: ['-1']}]}, "+
				"{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}]}}}"),
			nil, "Starts amd64 by dataSource, amd64",
		},
		{"nothing is known", vm("custom"), given{nothing}, "Unknown ? by unknown, ?"},
		{
			"nothing is known, and it fails anywhere", vm("custom", "architecture: arm64", "nodeSelector: {kubernetes.io/arch: amd64}"),
			given{nothing},
			"Fails arm64 by machine, ?, GA905",
		},
		{
			"a NodePool", "apiVersion: hypershift.openshift.io/v1beta1\nkind: NodePool\nmetadata: {name: a}\nspec: {arch: arm64, platform: {type: KubeVirt}}\n", nil,
			"Depends amd64 by default, arm64, GA903",
		},
		{
			"a NodePool elsewhere", "apiVersion: hypershift.openshift.io/v1beta1\nkind: NodePool\nmetadata: {name: a}\nspec: {arch: arm64, platform: {type: AWS}}\n",
			nil, "",
		},
		{
			"the API server drops keys in other letters",
			"apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataVolume\nmetadata: {name: a, namespace: vms}\nspec: {Source: {blank: {}}}\n", nil, "Unknown - by , ?",
		},
		{
			"a disk that stands alone and will exist", "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataVolume\nmetadata: {name: a, namespace: vms}\n" +
				"spec: {sourceRef: {kind: DataSource, namespace: os-images, name: custom}}\n",
			nil, "Exists - by , amd64",
		},
		{"a disk that stands alone", "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataVolume\nmetadata: {name: a, namespace: vms}\n" +
			"spec: {sourceRef: {kind: DataSource, namespace: os-images, name: nobody}}\n", nil, "Fails - by , ?, GA904"},
		{"a template with a default", template("custom-arm64"), nil, "Starts arm64 by dataSource, arm64"},
		{"a template without one", template(""), nil, "Unknown amd64,arm64 by unknown, ?"},
		{"a template of another engine", strings.Replace(vm("custom", "architecture: amd64"), "amd64", "{{ arch }}", 1), nil, "GA910"},
		{
			"a field of another type", strings.Replace(vm("custom", "architecture: amd64"), "architecture: amd64", "domain: {cpu: {threads: '${T}'}}", 1),
			nil, "GA910",
		},
		{
			"a file of the node", strings.Replace(vm("custom", "architecture: arm64"), "dataVolume: {name: root}", "hostDisk: {path: /d.img, type: Disk}", 1),
			nil, "Unknown arm64 by machine, ?",
		},
		{
			"an ImageStream", strings.Replace(vm("custom", "architecture: arm64"), "sourceRef: {kind: DataSource, namespace: os-images, name: custom}",
				"source: {registry: {imageStream: rhel9-guest}}", 1),
			nil, "Unknown arm64 by machine, ?",
		},
		{
			"an ImageStream with a stated architecture", strings.Replace(vm("custom", "architecture: arm64"),
				"sourceRef: {kind: DataSource, namespace: os-images, name: custom}",
				"source: {registry: {imageStream: rhel9-guest, platform: {architecture: amd64}}}", 1),
			nil, "Fails arm64 by machine, amd64, GA903",
		},
		{
			"a preference that cannot be read is reported, and does not count",
			vm("custom-arm64", "/preference: {name: own}") + "---\napiVersion: instancetype.kubevirt.io/v1beta1\nkind: VirtualMachineClusterPreference\n" +
				"metadata: {name: own}\nspec: {preferredArchitecture: [amd64]}\n",
			nil, "Unknown ? by unknown, arm64, GA910",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			known := machine.Known{Facts: mixed("1.19"), Nodes: workload.Nodes{}}
			for _, edit := range tc.known {
				edit(&known)
			}
			objects := read(t, tc.text)
			list, found := machine.Find(objects)
			found = append(found, known.ReadObjects(objects)...)
			results := known.Judge(list)
			found = append(found, known.Missing(results, nil)...)
			if got := summed(results, found); got != tc.want {
				t.Errorf("want %q, got %q", tc.want, got)
				for _, f := range found {
					t.Log(f)
				}
			}
		})
	}
}

// TestOrderOfDocuments: what a DataSource and its crons say does not depend on their order, and a
// cron changes only a DataSource that names it.
func TestOrderOfDocuments(t *testing.T) {
	t.Parallel()
	source := func(labels string) string {
		return "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataSource\nmetadata: {name: mine, namespace: os-images, labels: {" + labels + "}}\n"
	}
	cron := func(name, labels, platform string) string {
		return "apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: " + name + ", namespace: os-images, labels: {" + labels + "}}\n" +
			"spec: {managedDataSource: mine, template: {spec: {source: {registry: {url: 'docker://r.io/a:1', platform: {" + platform + "}}}" +
			", storage: {resources: {requests: {storage: 5Gi}}}}}}\n"
	}
	const arm, amd, names = "template.kubevirt.io/architecture: arm64", "template.kubevirt.io/architecture: amd64", "cdi.kubevirt.io/dataImportCron: c"
	fact := func(d v1alpha1.FactsDataSource) *v1alpha1.FactsDataSource {
		d.Namespace, d.Name = "os-images", "mine"
		return &d
	}
	for _, tc := range []struct {
		reason string
		docs   []string
		fact   *v1alpha1.FactsDataSource
		want   string
	}{
		{"the label of the cron that the DataSource names", []string{source(names), cron("c", arm, "")}, nil, "Depends amd64,arm64 by dataSource, arm64, GA907"},
		{
			"the platform of that cron",
			[]string{source(names), cron("c", "", "architecture: arm64")},
			nil,
			"Fails amd64 by default, arm64, GA903",
		},
		{"it replaces the label of the DataSource", []string{source(names + ", " + amd), cron("c", arm, "")}, nil, "Depends amd64,arm64 by dataSource, arm64, GA907"},
		{"a cron that the DataSource does not name", []string{source(amd), cron("c", arm, "architecture: arm64")}, nil, "Starts amd64 by dataSource, amd64"},
		{"it names another cron", []string{source(names + ", " + amd), cron("d", arm, "architecture: arm64")}, nil, "Starts amd64 by dataSource, amd64"},
		{
			"one of two crons is named",
			[]string{source(names), cron("c", arm, ""), cron("d", amd, "architecture: amd64")},
			nil,
			"Depends amd64,arm64 by dataSource, arm64, GA907",
		},
		{
			"two crons, and no DataSource says which",
			[]string{cron("c", arm, "architecture: arm64"), cron("d", amd, "architecture: amd64")},
			nil,
			"Unknown amd64,arm64 by unknown, ?",
		},
		{
			"a reference to another namespace, which CDI refuses",
			[]string{source("") + "spec: {source: {dataSource: {name: custom-arm64, namespace: other}}}\n"},
			nil,
			"Fails amd64,arm64 by unknown, ?, GA904",
		},
		{
			"a reference to a DataSource that nothing describes",
			[]string{source("") + "spec: {source: {dataSource: {name: rhel9-arm64}}}\n"},
			nil,
			"Unknown amd64 by default, ?",
		},
		{
			"one that states the namespace, so that KubeVirt reads the label of the target",
			[]string{source("") + "spec: {source: {dataSource: {name: rhel9-arm64, namespace: os-images}}}\n"},
			nil,
			"Unknown amd64,arm64 by unknown, ?",
		},
		{
			"a reference to a reference",
			[]string{source(arm) + "spec: {source: {dataSource: {name: custom}}}\n"},
			nil,
			"Fails amd64 by default, ?, GA904",
		},
		{
			"a reference to itself",
			[]string{source("") + "spec: {source: {dataSource: {name: mine}}}\n"},
			nil,
			"Fails amd64 by default, ?, GA904",
		},
		{
			"facts without architectures",
			[]string{source(arm)},
			fact(v1alpha1.FactsDataSource{Architectures: []string{}}),
			"Starts arm64 by dataSource, arm64",
		},
		{
			"facts with one unknown architecture", nil, fact(v1alpha1.FactsDataSource{Label: "arm64", Architectures: []string{"arm64", "vax"}}),
			"Starts arm64 by dataSource, arm64",
		},
		{
			"a volume of the DataSource's own, and not what the facts say of another one",
			[]string{source("") + "spec: {source: {pvc: {name: v, namespace: os-images}}}\n"},
			fact(v1alpha1.FactsDataSource{Uncertain: "no DataImportCron fills it", Label: "arm64", Architectures: []string{"arm64"}}),
			"Unknown amd64 by default, ?",
		},
		{
			"the facts know what fills a DataSource without a source",
			[]string{source(arm)},
			fact(v1alpha1.FactsDataSource{Missing: "the import fails"}),
			"Fails arm64 by dataSource, arm64, GA904",
		},
		{
			"a cron fills what no cron filled",
			[]string{cron("c", arm, "")},
			fact(v1alpha1.FactsDataSource{Uncertain: "no DataImportCron fills it"}),
			"Starts arm64 by dataSource, arm64",
		},
		{
			"a cron with another image than that of the facts",
			[]string{cron("c", arm, "")},
			fact(v1alpha1.FactsDataSource{Image: "r.io/b:1", Architectures: []string{"amd64"}}),
			"Starts arm64 by dataSource, arm64",
		},
		{
			"a cron with the image of the facts",
			[]string{cron("c", "", "")},
			fact(v1alpha1.FactsDataSource{Image: "r.io/a:1", Label: "arm64", Architectures: []string{"arm64"}}),
			"Starts arm64 by dataSource, arm64",
		},
		{
			"facts with another architecture",
			[]string{source(arm)},
			fact(v1alpha1.FactsDataSource{Architectures: []string{"amd64"}}),
			"Fails arm64 by dataSource, amd64, GA903",
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			docs := append([]string{vm("mine")}, tc.docs...)
			for range docs {
				docs = append(docs[1:], docs[0])
				for range 2 {
					slices.Reverse(docs)
					known := machine.Known{Facts: mixed("1.19")}
					if tc.fact != nil {
						known.Facts.GoldenImages.DataSources = append(known.Facts.GoldenImages.DataSources, *tc.fact)
					}
					objects := read(t, strings.Join(docs, "---\n"))
					list, found := machine.Find(objects)
					found = append(found, known.ReadObjects(objects)...)
					results := known.Judge(list)
					found = append(found, known.Missing(results, nil)...)
					if got := summed(results, found); got != tc.want {
						t.Errorf("want %q, got %q for\n%s", tc.want, got, strings.Join(docs, "---\n"))
					}
				}
			}
		})
	}
}

// TestMissingTarget: the finding names the DataSource that does not exist, not the one that
// points at it.
func TestMissingTarget(t *testing.T) {
	t.Parallel()
	known := machine.Known{Facts: mixed("1.19")}
	known.Facts.GoldenImages.DataSources = append(known.Facts.GoldenImages.DataSources,
		v1alpha1.FactsDataSource{Namespace: "os-images", Name: "points", Reference: "points-arm64"})
	objects := read(t, vm("points"))
	list, _ := machine.Find(objects)
	known.ReadObjects(objects)
	const want = `nothing makes DataSource "points-arm64" in the namespace "os-images"`
	if got := known.Judge(list)[0].Disks[0].Missing; !strings.Contains(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
}

// summed returns the verdict of the only machine, what it gets, its disks, and all findings.
func summed(results []machine.Result, found finding.List) string {
	var parts []string
	for _, r := range results {
		text := cmp.Or(r.Architecture, r.Possible.String(), "?")
		if r.DecidedBy == "" {
			text = "-"
		}
		var disks []string
		for _, d := range r.Disks {
			disks = append(disks, cmp.Or(d.Architectures.String(), "?"))
		}
		parts = append(parts, fmt.Sprintf("%s %s by %s", r.Verdict, text, r.DecidedBy))
		if len(disks) > 0 {
			parts = append(parts, strings.Join(disks, " "))
		}
		found = append(found, r.Findings...)
	}
	var ids []string
	for _, f := range found {
		ids = append(ids, string(f.ID))
	}
	slices.Sort(ids)
	if len(ids) > 0 {
		parts = append(parts, strings.Join(slices.Compact(ids), " "))
	}
	return strings.Join(parts, ", ")
}

// template returns a Template of OpenShift whose parameter names the DataSource.
func template(source string) string {
	inner := strings.ReplaceAll(strings.ReplaceAll(vm("'${DATA_SOURCE_NAME}'"), "os-images", "'${NS}'"), "\n", "\n  ")
	return "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: t}\nparameters:\n- {name: DATA_SOURCE_NAME, value: '" + source +
		"'}\n- {name: NS, value: os-images}\nobjects:\n- " + strings.TrimSpace(inner) + "\n"
}

// nowhere returns a machine without a namespace.
func nowhere(vm string) string { return strings.Replace(vm, ", namespace: vms", "", 1) }

// preference returns a preference without a namespace.
func preference(kind, name, spec string) string {
	return "apiVersion: instancetype.kubevirt.io/v1beta1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n"
}

// pool returns a VirtualMachinePool of a machine.
func pool(vm string) string {
	_, spec, _ := strings.Cut(vm, "\nspec:\n")
	return "apiVersion: pool.kubevirt.io/v1beta1\nkind: VirtualMachinePool\nmetadata: {name: a, namespace: vms}\nspec:\n  virtualMachineTemplate:\n" +
		"    spec:\n      " + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n    ") + "\n"
}
