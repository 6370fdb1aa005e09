package machine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// unmodelled is something of a machine whose rules goldenarch does not know. A machine that has it
// may be one that never starts, so goldenarch does not say that it starts.
type unmodelled struct {
	// why continues "goldenarch does not know whether 2 machines start: ".
	why string
	do  string
}

var (
	byInstancetype = unmodelled{
		"an instancetype changes what KubeVirt makes of a machine, and goldenarch does not read it",
		"try the machines on a cluster of this kind, or write what the instancetype sets into them and remove it",
	}
	byPreference = unmodelled{
		"a preference changes more than the architecture, such as the firmware, and goldenarch does not read that",
		"try the machines on a cluster of this kind, or write what the preference sets into them and remove it",
	}
	byUnknownPreference = unmodelled{
		"the input does not have their preference, which can state another architecture and change more of a machine",
		"try the machines on a cluster of this kind, or write what the preference sets into them and remove it",
	}
	byFirmware = unmodelled{
		"virt-launcher may have no EFI firmware for s390x",
		"remove spec.template.spec.domain.firmware.bootloader",
	}
	bySecureBoot = unmodelled{
		"virt-launcher may have no firmware with secure boot for arm64, and EFI turns secure boot on by default",
		"set spec.template.spec.domain.firmware.bootloader.efi.secureBoot: false",
	}
	byCPUModel = unmodelled{
		"a node of s390x may not have the label of the CPU model",
		"set spec.template.spec.domain.cpu.model: host-model",
	}
	byDefaultCPUModel = unmodelled{
		"a node of s390x may not have the label of the default CPU model (defaultCPUModel of HCO, cpuModel of KubeVirt)",
		"set spec.template.spec.domain.cpu.model: host-model",
	}
)

// allUnmodelled are in the order of the findings.
var allUnmodelled = []unmodelled{byInstancetype, byPreference, byUnknownPreference, byFirmware, bySecureBoot, byCPUModel, byDefaultCPUModel}

// findUnmodelled returns what the machine has whose rules goldenarch does not know.
func (j *judged) findUnmodelled() []unmodelled {
	var out []unmodelled
	add := func(has bool, what unmodelled) {
		if has {
			out = append(out, what)
		}
	}
	domain := j.found.Spec.Domain
	efi := domain.Firmware.EFI()
	onS390X := j.mayGet("s390x")
	add(j.found.Instancetype != nil, byInstancetype)
	add(j.found.Matcher != nil && !j.lacksPreference(), byPreference)
	add(j.lacksPreference(), byUnknownPreference)
	add(efi != nil && onS390X, byFirmware)
	add(efi.IsSecure() && j.mayGet("arm64"), bySecureBoot)
	add(domain.CPU.NamesModel() && onS390X, byCPUModel)
	standard := kubevirt.CPU{Model: cmp.Or(j.known.configuration().CPUModel, j.known.standardCPUModel())}
	add((domain.CPU == nil || domain.CPU.Model == "") && standard.NamesModel() && onS390X, byDefaultCPUModel)
	return out
}

// lacksPreference reports whether the machine names a preference that may state its architecture and
// that is not known.
func (j *judged) lacksPreference() bool {
	version := j.known.versions()[0]
	_, unknown := j.known.findPreference(j.found, version)
	return unknown && j.found.Spec.Architecture == "" && version.ReadsPreference()
}

// mayGet reports whether the machine gets an architecture in some state.
func (j *judged) mayGet(architecture string) bool {
	return slices.ContainsFunc(j.decisions, func(d kubevirt.Decision) bool { return d.Architecture == architecture })
}

// unknownStarts reports, once for each reason, the machines of which goldenarch does not know
// whether they start, although it knows their architecture and their disk.
func unknownStarts(results []Result) finding.List {
	var found finding.List
	for _, what := range allUnmodelled {
		var names []string
		for _, r := range results {
			if slices.Contains(r.unmodelled, what) && r.Verdict == Unknown {
				names = append(names, r.Name())
			}
		}
		if len(names) == 0 {
			continue
		}
		start := "start"
		if len(names) == 1 {
			start = "starts"
		}
		slices.Sort(names)
		found = append(found, finding.Finding{
			ID: finding.MachineUnknown, Severity: finding.Warning, Do: what.do,
			Text: fmt.Sprintf("goldenarch does not know whether %s %s, because %s: %s",
				finding.Count(len(names), "machine"), start, what.why, finding.FirstOf(slices.Compact(names))),
		})
	}
	return found
}
