package machine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
)

// TestAdviceLeadsToNoOtherFinding: a fix names only what the cluster has, and a cause only what is
// there.
func TestAdviceLeadsToNoOtherFinding(t *testing.T) {
	t.Parallel()
	const head = "---\napiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: kubevirt}\nspec: {configuration: {developerConfiguration: {featureGates: ["
	other := func(k *machine.Known) {
		k.Facts.KubeVirt.MultiArchitecture, k.Facts.KubeVirt.DefaultArchitecture = false, "amd64"
	}
	only := func(k *machine.Known) { k.Facts.WorkloadArchitectures = []string{"amd64"} }
	fromCR := func(k *machine.Known) { other(k); k.Facts.Source.Kind = "HyperConverged" }
	for _, tc := range []struct {
		reason  string
		text    string
		release string
		known   func(*machine.Known)
		id      finding.ID
		says    []string // one with - must be absent
	}{
		{
			reason: "the disk fits another node", text: vm("unlabelled-arm64"), release: "1.19", known: func(*machine.Known) {},
			id: finding.MachineDiskOther, says: []string{"set spec.template.spec.architecture: arm64", "-no node"},
		},
		{
			reason: "the disk fits no node", text: vm("unlabelled-arm64"), release: "1.19", known: only,
			id: finding.MachineDiskOther, says: []string{"no node that may run machines has arm64", "use a disk for amd64, or add nodes with arm64", "-set spec"},
		},
		{
			reason: "the golden image has a DataSource for it", text: vm("custom", "architecture: arm64"), release: "1.19", known: func(*machine.Known) {},
			id: finding.MachineDiskOther, says: []string{"or use DataSource os-images/custom-arm64, which has arm64", "-use a disk"},
		},
		{
			reason: "the disk that is made with it has another one than its label", release: "1.19", known: func(*machine.Known) {},
			text: vm("mine") + "---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\n" +
				"metadata: {name: mine, namespace: os-images, labels: {template.kubevirt.io/architecture: s390x}}\n" +
				"spec: {managedDataSource: mine, template: {spec: {source: {registry: {url: 'docker://r.io/a:1'}}, " +
				"storage: {resources: {requests: {storage: 5Gi}}}}}, schedule: '0 0 * * *'}\n",
			id: finding.MachineRaces, says: []string{"and the disk has arm64", "set spec.template.spec.architecture: arm64", "-architecture: s390x"},
		},
		{
			reason: "it has none", text: vm("unlabelled-arm64", "architecture: amd64"), release: "1.19", known: func(*machine.Known) {},
			id: finding.MachineDiskOther, says: []string{"or use a disk for amd64"},
		},
		{
			reason: "the node selector asks for a node that exists", text: vm("custom", "nodeSelector: {kubernetes.io/arch: arm64}"), release: "1.19",
			known: func(*machine.Known) {}, id: finding.MachineNoNode, says: []string{"set spec.template.spec.architecture: arm64, or remove"},
		},
		{
			reason: "the node selector asks for one that does not", text: vm("custom", "nodeSelector: {kubernetes.io/arch: s390x}"), release: "1.19",
			known: func(*machine.Known) {}, id: finding.MachineNoNode, says: []string{"remove the node selector", "has s390x", "-set spec"},
		},
		{
			reason: "the gate of the CR that the facts come from", text: vm("custom-arm64"), release: "1.17", known: fromCR,
			id: finding.MachineRefused, says: []string{"turn on the multi-arch gate of the HyperConverged CR"},
		},
		{
			reason: "no CR to turn it on in", text: vm("custom-arm64"), release: "1.17", known: other,
			id: finding.MachineRefused, says: []string{"turn on its feature gate MultiArchitecture", "-HyperConverged"},
		},
		{
			reason: "a KubeVirt CR of the input", text: vm("custom-arm64") + head + "]}}}\n", release: "1.17", known: other,
			id: finding.MachineRefused, says: []string{"add MultiArchitecture to spec.configuration", "-HyperConverged"},
		},
		{
			reason: "a KubeVirt CR that misspells it", text: vm("custom-arm64") + head + "Snapshot, multiArchitecture]}}}\n", release: "1.17", known: fromCR,
			id: finding.MachineRefused, says: []string{`write MultiArchitecture for "multiArchitecture" in spec.configuration.developerConfiguration.featureGates[1]`},
		},
		{
			reason: "by a letter", text: vm("custom-arm64") + head + "MultiArchitectures]}}}\n", release: "1.17", known: other,
			id: finding.MachineRefused, says: []string{`write MultiArchitecture for "MultiArchitectures" in spec.configuration.developerConfiguration.featureGates[0]`},
		},
		{
			reason: "the gate of machines of another architecture than that of their node", release: "1.19", known: only,
			text: vm("unknown", "architecture: arm64") + head + "crossArchitectureVirtualization]}}}\n",
			id:   finding.MachineNoNode, says: []string{`write CrossArchitectureVirtualization for "crossArchitectureVirtualization" in spec.configuration`},
		},
		{
			reason: "which KubeVirt 1.8 has not", release: "1.18", known: only,
			text: vm("unknown", "architecture: arm64") + head + "crossArchitectureVirtualization]}}}\n",
			id:   finding.MachineNoNode, says: []string{"add such a node", "-CrossArchitectureVirtualization"},
		},
	} {
		known := machine.Known{Facts: mixed(tc.release), Images: map[string]machine.Image{"r.io/a:1": {Architectures: arch.Named("arm64")}}}
		tc.known(&known)
		objects := read(t, tc.text)
		list, found := machine.Find(objects)
		found = append(found, known.ReadObjects(objects)...)
		for _, r := range known.Judge(list) {
			found = append(found, r.Findings...)
		}
		i := slices.IndexFunc(found, func(f finding.Finding) bool { return f.ID == tc.id })
		if i < 0 {
			t.Errorf("%s: want %s, got\n%s", tc.reason, tc.id, found)
			continue
		}
		for _, part := range tc.says {
			absent, not := strings.CutPrefix(part, "-")
			if strings.Contains(found[i].Text+". "+found[i].Do, absent) == not {
				t.Errorf("%s: %q: %s. %s", tc.reason, part, found[i].Text, found[i].Do)
			}
		}
	}
}

// TestCronsThatCDIRefuses: a cron in Git that CDI's webhook refuses fills no DataSource.
func TestCronsThatCDIRefuses(t *testing.T) {
	t.Parallel()
	cron := func(metadata, spec string) string {
		return "---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataImportCron\nmetadata: {name: c, namespace: vms" + metadata + "}\n" +
			"spec: {managedDataSource: mine, " + spec + "}\n"
	}
	const storage = ", storage: {resources: {requests: {storage: 5Gi}}}"
	const ours = "---\napiVersion: cdi.kubevirt.io/v1beta1\nkind: DataSource\nmetadata: {name: mine, namespace: vms, labels: {LABELS}}\n"
	web := "template: {spec: {source: {http: {url: 'https://x/a.img'}}" + storage + "}}"
	registry := "template: {spec: {source: {registry: {url: 'docker://r.io/a:1'}}" + storage + "}}"
	for _, tc := range []struct {
		reason, text string
		want         string
	}{
		{"a registry", cron("", registry), "Starts amd64 by machine, amd64"},
		{"a server, which only a DataVolume can import from", cron("", web), "Fails amd64 by machine, ?, GA501 GA904"},
		{"no size", cron("", strings.Replace(registry, storage, "", 1)), "Fails amd64 by machine, ?, GA501 GA904"},
		{"a schedule that is none", cron("", "schedule: now, "+registry), "Fails amd64 by machine, ?, GA501 GA904"},
		{"a cluster holds it", cron(", uid: u", web), "Unknown amd64 by machine, ?"},
		{"a value that a tool fills in", cron("", strings.Replace(web, "a.img", "${IMAGE}", 1)), "Unknown amd64 by machine, ?"},
		{
			"its DataSource is there, and no disk",
			strings.Replace(ours, "LABELS", "cdi.kubevirt.io/dataImportCron: c", 1) + cron("", web), "Fails amd64 by machine, ?, GA501 GA904",
		},
		{
			"the DataSource is another one's",
			strings.Replace(ours, "LABELS", "template.kubevirt.io/architecture: amd64", 1) + cron("", web), "Starts amd64 by machine, amd64, GA501",
		},
	} {
		known := machine.Known{Facts: mixed("1.19"), Images: map[string]machine.Image{"r.io/a:1": {Architectures: arch.Named("amd64"), Single: true}}}
		objects := read(t, strings.Replace(vm("mine", "architecture: amd64"), "os-images", "vms", 1)+tc.text)
		list, found := machine.Find(objects)
		found = append(found, known.ReadObjects(objects)...)
		results := known.Judge(list)
		found = append(found, known.Missing(results, nil)...)
		if got := summed(results, found); got != tc.want {
			t.Errorf("%s: want %q, got %q\n%s", tc.reason, tc.want, got, found)
		}
	}
}
