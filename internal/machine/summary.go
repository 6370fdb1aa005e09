package machine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// noBootDisk is the boot disk of a machine whose bootOrder names no disk of its volumes.
const noBootDisk = "none of its volumes with a disk image"

// Summary returns the findings about what goldenarch does not know, each said once for all
// machines: disks, preferences, and objects that make machines from what only a cluster has.
func (k *Known) Summary(list []Found, results []Result, copiers []finding.Object) finding.List {
	var found finding.List
	add := func(machines []int, text, do string) { // by their indices, in order: two may have one name
		machines = slices.Compact(machines)
		if len(machines) > 0 {
			var names []string
			for _, i := range machines {
				names = append(names, results[i].Name())
			}
			slices.Sort(names)
			found = append(found, finding.Finding{
				ID: finding.MachineUnknown, Severity: finding.Warning, Do: do,
				Text: fmt.Sprintf(text, finding.Count(len(machines), "machine")) + ": " + finding.FirstOf(slices.Compact(names)),
			})
		}
	}
	disks := map[string][]int{}
	var preferences []int
	for i, r := range results {
		if len(r.Disks) > 0 && !slices.ContainsFunc(r.Disks, func(d Disk) bool { return d.boots }) {
			disks[noBootDisk] = append(disks[noBootDisk], i)
		}
		for _, d := range r.Disks {
			if d.Unknown != "" && d.boots {
				disks[d.Unknown] = append(disks[d.Unknown], i)
			}
		}
		if _, unknown := k.findPreference(list[i], k.versions()[0]); unknown && list[i].Spec.Architecture == "" && k.versions()[0].ReadsPreference() {
			preferences = append(preferences, i)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(disks)) {
		add(disks[why], "goldenarch does not know the architecture of the boot disk of %s, which is "+why, "")
	}
	add(preferences, "goldenarch does not know the preference of %s, and assumes that it states no architecture", "add the preference to the input")
	found = append(found, k.missing(results)...)
	var names []string
	for _, o := range copiers {
		names = append(names, o.String())
	}
	if len(names) > 0 {
		found = append(found, finding.Finding{
			ID: finding.MachineUnknown, Severity: finding.Warning,
			Text: fmt.Sprintf("goldenarch does not know the architectures of machines that only the cluster has, and %s would copy them: %s",
				finding.Count(len(names), "object"), finding.FirstOf(names)),
		})
	}
	return found
}

// missing says what the user has to state in addition, if the answer for a machine depends on
// it.
func (k *Known) missing(results []Result) finding.List {
	if !k.Stated || !slices.ContainsFunc(results, func(r Result) bool { return r.DecidedBy != "" && r.Architecture == "" || r.Verdict == Depends }) {
		return nil
	}
	var found finding.List
	if k.anyRelease() {
		found = append(found, finding.Finding{
			ID: finding.ReleaseNeeded, Severity: finding.Warning,
			Text: "no release is declared, so the answers about machines are those of all releases of KubeVirt that goldenarch knows",
			Do:   "declare it: --release 1.19 (or the release of OpenShift Virtualization, 5.0)",
		})
	}
	if len(k.Facts.WorkloadArchitectures) == 0 {
		found = append(found, finding.Finding{
			ID: finding.NoNodeFacts, Severity: finding.Warning,
			Text: "nothing states the architectures of the nodes that run the machines",
			Do:   "state them: --workload-architectures amd64,arm64 --control-plane-architectures amd64",
		})
	}
	if len(k.Facts.WorkloadArchitectures) > 1 && len(k.Facts.ControlPlaneArchitectures) == 0 && k.Facts.KubeVirt.DefaultArchitecture == "" {
		found = append(found, finding.Finding{
			ID: finding.NoNodeFacts, Severity: finding.Warning,
			Text: "nothing states the architectures of the control-plane nodes, on which the default architecture of KubeVirt depends",
			Do:   "state them: --control-plane-architectures amd64",
		})
	}
	return found
}

// Name names the machine to a person: VirtualMachine/fedora, or the template with the machine
// in it.
func (r Result) Name() string {
	if r.Inner != "" {
		return r.Object.String() + " (" + r.Inner + ")"
	}
	return r.Object.String()
}
