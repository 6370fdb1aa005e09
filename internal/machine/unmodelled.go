package machine

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// unmodelledReasons says of what goldenarch does not know the rules of what may be wrong with it. A machine that has it may be
// one that never starts, so goldenarch does not say that it starts.
var unmodelledReasons = map[kubevirt.Unmodelled]Reason{
	kubevirt.UnsureInstancetype: {
		"the input does not have their instancetype, which can set a node selector and a CPU model",
		"add the instancetype to what is checked, or write what it sets into the machines and remove it",
	},
	kubevirt.UnsurePreference: {
		"the input does not have their preference, which can state another architecture and change more of a machine",
		"add the preference to what is checked, or write what it sets into the machines and remove it",
	},
	kubevirt.Hyperv: {
		"they turn on features of Hyper-V, which nodes of arm64 and s390x may not have",
		"remove spec.template.spec.domain.features.hyperv, or use a preference without it",
	},
	kubevirt.SMM: {
		"they turn on SMM, which machines of arm64 and s390x may not have",
		"remove spec.template.spec.domain.features.smm, or use a preference without it",
	},
	kubevirt.TPM: {
		"they have a TPM, which machines of s390x may not have",
		"remove spec.template.spec.domain.devices.tpm, or use a preference without it",
	},
	kubevirt.CPUOnS390X: {
		"a node of s390x may not have the label of the CPU model, or of a CPU feature that they require",
		"set spec.template.spec.domain.cpu.model: host-model, and remove the features",
	},
	kubevirt.OtherFirmware: {
		"a machine of arm64 has a bootloader that is neither EFI nor BIOS",
		"set spec.template.spec.domain.firmware.bootloader.efi.secureBoot: false",
	},
	kubevirt.Confidential: {
		"they have launchSecurity, which needs features of nodes and of the machine that goldenarch does not look into",
		"try them on a cluster, or remove spec.template.spec.domain.launchSecurity",
	},
	kubevirt.DedicatedCPU: {
		"they state dedicated CPUs, and goldenarch does not look into the rules for their CPUs and memory",
		"use an instancetype with dedicated CPUs, such as cx1.medium, or try them on a cluster",
	},
	kubevirt.VideoGate: {
		"they state a video device, and KubeVirt up to 1.8 refuses it without its feature gate VideoConfig",
		"add the KubeVirt CR with that gate to what is checked, or remove spec.template.spec.domain.devices.video",
	},
}

// findUnmodelled returns what the machine has whose rules goldenarch does not know.
func (j *judged) findUnmodelled() []kubevirt.Unmodelled {
	return slices.DeleteFunc(slices.Clone(kubevirt.AllUnmodelled), func(u kubevirt.Unmodelled) bool {
		return !slices.ContainsFunc(j.decisions, func(d kubevirt.Decision) bool { return slices.Contains(d.Unmodelled, u) })
	})
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
			out = append(out, unmodelledReasons[what])
		}
	}
	return out
}
