package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/machine"
)

// TestUnmodelledMachinesAreUnknown: a machine does not start for sure if it has something whose
// rules goldenarch does not know. One without it starts, and one that fails for a known reason
// fails.
func TestUnmodelledMachinesAreUnknown(t *testing.T) {
	t.Parallel()
	// machineOf returns a machine of an architecture that boots an image of all of them.
	machineOf := func(architecture string, more ...string) string {
		text := vm("custom", append([]string{"architecture: " + architecture}, more...)...)
		return strings.Replace(text, "dataVolume: {name: root}", "containerDisk: {image: 'r.io/a:1'}", 1)
	}
	const kubevirt = "---\napiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: k}\nspec: {configuration: {cpuModel: Haswell}}\n"
	const efi = "domain: {firmware: {bootloader: {efi: {secureBoot: false}}}}"
	const secure = "domain: {features: {smm: {}}, firmware: {bootloader: {efi: {}}}}"
	const instancetype = "apiVersion: instancetype.kubevirt.io/v1beta1\nkind: VirtualMachineClusterInstancetype\nmetadata: {name: ours}\n" +
		"spec: {cpu: {guest: 1}, memory: {guest: 1Gi}, nodeSelector: {kubernetes.io/arch: arm64}}\n"
	const video = "domain: {devices: {video: {type: virtio}}}"
	const haswell = "domain: {cpu: {model: Haswell}}"
	for _, tc := range []struct {
		reason  string
		text    string
		release string // "1.19" if ""
		model   string // the default CPU model that facts state
		want    machine.Verdict
		says    string // of the finding
	}{
		{reason: "nothing of it", text: machineOf("amd64"), want: machine.Starts},
		{reason: "nothing of it on arm64", text: machineOf("arm64"), want: machine.Starts},
		{reason: "nothing of it on s390x", text: machineOf("s390x"), want: machine.Starts},
		{reason: "an instancetype that KubeVirt ships", text: machineOf("amd64", "/instancetype: {name: u1.small}"), want: machine.Starts},
		{
			reason: "an instancetype that nobody knows", text: machineOf("amd64", "/instancetype: {name: ours}"),
			want: machine.Unknown, says: "does not have their instancetype",
		},
		{
			reason: "an instancetype from a container disk, which KubeVirt refuses", text: machineOf("amd64", "/instancetype: {inferFromVolume: root}"),
			want: machine.Fails,
		},
		{
			reason: "that of a pool", text: pool(machineOf("amd64", "/instancetype: {name: ours}")),
			want: machine.Unknown, says: "does not have their instancetype",
		},
		{
			reason: "an instancetype of the input selects other nodes", text: machineOf("amd64", "/instancetype: {name: ours}") + "---\n" + instancetype,
			want: machine.Fails,
		},
		{
			reason: "a preference that KubeVirt ships", text: machineOf("amd64", "/preference: {name: fedora}", "domain: {memory: {guest: 4Gi}}"),
			want: machine.Starts,
		},
		{
			reason: "which requires memory, and an instancetype that nobody knows may have it",
			text:   machineOf("amd64", "/preference: {name: fedora}", "/instancetype: {name: ours}"), want: machine.Unknown, says: "does not have their instancetype",
		},
		{reason: "which requires memory", text: machineOf("amd64", "/preference: {name: fedora}"), want: machine.Fails},
		{
			reason: "a preference before 1.19", text: machineOf("arm64", "/preference: {name: fedora}", "domain: {memory: {guest: 4Gi}}"), release: "1.18",
			want: machine.Fails,
		},
		{
			reason: "the one for arm64", text: machineOf("arm64", "/preference: {name: fedora.arm64}", "domain: {memory: {guest: 4Gi}}"), release: "1.18",
			want: machine.Starts,
		},
		{
			reason: "one with features of Hyper-V", text: machineOf("arm64", "/preference: {name: windows.7.virtio}", "domain: {memory: {guest: 4Gi}}"),
			want: machine.Unknown, says: "features of Hyper-V",
		},
		{
			reason: "a preference that nobody knows", text: strings.Replace(machineOf("amd64", "/preference: {name: ours}"), "architecture: amd64", "", 1),
			want: machine.Unknown, says: "does not have their preference",
		},
		{
			reason: "a preference that requires another architecture fails", text: machineOf("arm64", "/preference: {name: fedora}"),
			want: machine.Fails,
		},
		{reason: "EFI on s390x", text: machineOf("s390x", efi), want: machine.Fails},
		{reason: "EFI with secure boot on s390x", text: machineOf("s390x", secure), want: machine.Fails},
		{reason: "EFI elsewhere", text: machineOf("arm64", efi), want: machine.Starts},
		{reason: "EFI on amd64", text: machineOf("amd64", secure), want: machine.Starts},
		{reason: "secure boot without SMM", text: machineOf("amd64", "domain: {firmware: {bootloader: {efi: {}}}}"), want: machine.Fails},
		{reason: "BIOS on s390x", text: machineOf("s390x", "domain: {firmware: {bootloader: {bios: {}}}}"), want: machine.Starts},
		{reason: "SMM on arm64", text: machineOf("arm64", secure), want: machine.Unknown, says: "turn on SMM"},
		{reason: "with secure boot, which KubeVirt 1.7 refuses", text: machineOf("arm64", secure), release: "1.17", want: machine.Fails},
		{reason: "a TPM on s390x", text: machineOf("s390x", "domain: {devices: {tpm: {}}}"), want: machine.Unknown, says: "have a TPM"},
		{reason: "a CPU model of x86 on s390x", text: machineOf("s390x", haswell), want: machine.Fails},
		{reason: "one of s390x", text: machineOf("s390x", "domain: {cpu: {model: z14}}"), want: machine.Unknown, says: "the label of the CPU model"},
		{reason: "on amd64", text: machineOf("amd64", haswell), want: machine.Starts},
		{reason: "which KubeVirt refuses on arm64", text: machineOf("arm64", haswell), want: machine.Fails},
		{reason: "that of the host on s390x", text: machineOf("s390x", "domain: {cpu: {model: host-model}}"), want: machine.Starts},
		{reason: "the default CPU model on s390x", text: machineOf("s390x"), model: "Haswell", want: machine.Fails},
		{reason: "that of the KubeVirt CR", text: machineOf("s390x") + kubevirt, want: machine.Fails},
		{reason: "which does not count beside a stated one", text: machineOf("s390x", "domain: {cpu: {model: host-model}}"), model: "Haswell", want: machine.Starts},
		{reason: "on arm64, which has a default of its own", text: machineOf("arm64"), model: "Haswell", want: machine.Starts},
		{reason: "a watchdog without a device gets one", text: machineOf("amd64", "domain: {devices: {watchdog: {name: w}}}"), want: machine.Starts},
		{reason: "which arm64 has not", text: machineOf("arm64", "domain: {devices: {watchdog: {name: w}}}"), want: machine.Fails},
		{reason: "a CD-ROM on the default bus of arm64", text: machineOf("arm64", "domain: {devices: {disks: [{name: root, cdrom: {}}]}}"), want: machine.Fails},
		{reason: "launchSecurity", text: machineOf("amd64", "domain: {launchSecurity: {sev: {}}}"), want: machine.Unknown, says: "have launchSecurity"},
		{reason: "dedicated CPUs", text: machineOf("amd64", "domain: {cpu: {dedicatedCpuPlacement: true}}"), want: machine.Unknown, says: "dedicated CPUs"},
		{reason: "those of an instancetype", text: machineOf("amd64", "/instancetype: {name: cx1.large}"), want: machine.Starts},
		{reason: "a video device", text: machineOf("amd64", video), want: machine.Starts},
		{reason: "which KubeVirt 1.8 has a gate for", text: machineOf("amd64", video), release: "1.18", want: machine.Unknown, says: "a video device"},
		{
			reason: "which is on", text: machineOf("amd64", video) + strings.Replace(kubevirt, "cpuModel: Haswell", "developerConfiguration: {featureGates: [VideoConfig]}", 1),
			release: "1.18", want: machine.Starts,
		},
		{reason: "a container disk as a LUN", text: machineOf("amd64", "domain: {devices: {disks: [{name: root, lun: {}}]}}"), want: machine.Fails},
		{reason: "a bootloader of no kind on arm64", text: machineOf("arm64", "domain: {firmware: {bootloader: {}}}"), want: machine.Unknown, says: "neither EFI nor BIOS"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			facts := mixed("1.19")
			if tc.release != "" {
				facts = mixed(tc.release)
			}
			all := []string{"amd64", "arm64", "s390x"}
			facts.WorkloadArchitectures = all
			facts.KubeVirt = v1alpha1.FactsKubeVirt{DefaultArchitecture: "amd64", MultiArchitecture: true, CPUModel: tc.model}
			known := machine.Known{Facts: facts, Images: map[string]machine.Image{"r.io/a:1": {Architectures: arch.Named(all...)}}}
			objects := read(t, tc.text)
			list, found := machine.Find(objects)
			found = append(found, known.ReadObjects(objects)...)
			results := known.Judge(list)
			if len(results) != 1 || results[0].Verdict != tc.want {
				t.Fatalf("want %s, got %+v\n%v%v", tc.want, results, found, results[0].Findings)
			}
			says := fmt.Sprint(found.String(), results[0].Unknown())
			if tc.says == "" && says != "[]" || !strings.Contains(says, tc.says) {
				t.Errorf("want the reason %q, got\n%s", tc.says, says)
			}
		})
	}
}

// TestKnowsAny: what is known must say of a machine whether it starts. A disk is no machine.
func TestKnowsAny(t *testing.T) {
	t.Parallel()
	machineOf := func(v machine.Verdict) machine.Result { return machine.Result{Verdict: v} }
	disk := machine.Result{Verdict: machine.Exists, IsDisk: true}
	for _, tc := range []struct {
		reason  string
		list    []machine.Result
		nothing bool // states the cluster
		want    bool
	}{
		{reason: "one of two starts", list: []machine.Result{machineOf(machine.Unknown), machineOf(machine.Starts)}, want: true},
		{reason: "one fails", list: []machine.Result{machineOf(machine.Fails)}, want: true},
		{reason: "one depends on something", list: []machine.Result{machineOf(machine.Depends)}, want: true},
		{reason: "all are unknown", list: []machine.Result{machineOf(machine.Unknown)}},
		{reason: "a disk is no machine", list: []machine.Result{machineOf(machine.Unknown), disk}},
		{reason: "disks alone", list: []machine.Result{disk}, want: true},
		{reason: "nothing states the cluster", list: []machine.Result{machineOf(machine.Starts)}, nothing: true},
		{reason: "nothing at all"},
	} {
		known := machine.Known{Facts: mixed("1.19")}
		if tc.nothing {
			known.Facts = nil
		}
		if got := known.KnowsAny(tc.list); got != tc.want {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
		}
	}
}
