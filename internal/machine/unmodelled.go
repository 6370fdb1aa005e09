package machine

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// unmodelled is something of a machine whose rules goldenarch does not know. A machine that has it
// may be one that never starts, so goldenarch does not say that it starts.
type unmodelled struct {
	// why is about several machines: "they have a TPM".
	why string
	do  string
}

var (
	byInstancetype = unmodelled{
		"the input does not have their instancetype, which can set a node selector and a CPU model",
		"add the instancetype to what is checked, or write what it sets into the machines and remove it",
	}
	byPreference = unmodelled{
		"the input does not have their preference, which can state another architecture and change more of a machine",
		"add the preference to what is checked, or write what it sets into the machines and remove it",
	}
	byHyperv = unmodelled{
		"they turn on features of Hyper-V, which nodes of arm64 and s390x may not have",
		"remove spec.template.spec.domain.features.hyperv, or use a preference without it",
	}
	bySMM = unmodelled{
		"they turn on SMM, which machines of arm64 and s390x may not have",
		"remove spec.template.spec.domain.features.smm, or use a preference without it",
	}
	byTPM = unmodelled{
		"they have a TPM, which machines of s390x may not have",
		"remove spec.template.spec.domain.devices.tpm, or use a preference without it",
	}
	byCPUModel = unmodelled{
		"a node of s390x may not have the label of the CPU model, or of a CPU feature that they require",
		"set spec.template.spec.domain.cpu.model: host-model, and remove the features",
	}
	byFirmware = unmodelled{
		"a machine of arm64 has a bootloader that is neither EFI nor BIOS",
		"set spec.template.spec.domain.firmware.bootloader.efi.secureBoot: false",
	}
)

// allUnmodelled are in the order of a report.
var allUnmodelled = []unmodelled{byInstancetype, byPreference, byHyperv, bySMM, byTPM, byCPUModel, byFirmware}

// findUnmodelled returns what the machine has whose rules goldenarch does not know.
func (j *judged) findUnmodelled() []unmodelled {
	has := map[unmodelled]bool{}
	for _, d := range j.decisions {
		domain := d.Instance.Domain
		onARM, onS390X := d.Instance.Architecture == "arm64", d.Instance.Architecture == "s390x"
		for what, ok := range map[unmodelled]bool{
			byInstancetype: d.Instancetype == kubevirt.Unsure,
			byPreference:   d.Preference == kubevirt.Unsure,
			byHyperv:       (onARM || onS390X) && len(domain.Features.Hyperv) > 0,
			bySMM:          (onARM || onS390X) && domain.Features.SMM.IsOn(),
			byTPM:          onS390X && domain.Devices.TPM != nil,
			byCPUModel:     onS390X && (domain.CPU.NamesModel() || domain.CPU.Requires()),
			byFirmware:     onARM && domain.Firmware.EFI() == nil,
		} {
			has[what] = has[what] || ok
		}
	}
	return slices.DeleteFunc(slices.Clone(allUnmodelled), func(u unmodelled) bool { return !has[u] })
}

// Reason is why goldenarch does not know something about a machine, in words about several machines, and what to do.
type Reason struct{ Why, Do string }

// Unknown returns why goldenarch does not know whether the machine starts, or what its boot disk is.
func (r Result) Unknown() []Reason {
	var out []Reason
	if len(r.Disks) > 0 && !slices.ContainsFunc(r.Disks, func(d Disk) bool { return d.boots }) {
		out = append(out, Reason{Why: "none of their volumes with a disk image is their boot disk"})
	}
	for _, d := range r.Disks {
		if d.boots && d.Unknown != "" {
			out = append(out, Reason{Why: "their boot disk is " + d.Unknown})
		}
	}
	if r.Verdict == Unknown {
		for _, what := range r.unmodelled {
			out = append(out, Reason{what.why, what.do})
		}
	}
	return out
}
