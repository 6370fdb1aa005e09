package cluster

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Architectures are the architectures of a cluster, as HCO computes them.
type Architectures struct {
	Workload     arch.Set
	ControlPlane arch.Set
	// Default is the default workload architecture, or "" if it is not known.
	Default arch.Arch
	// WorkloadUnknown and ControlPlaneUnknown say that nothing states the set, so that it
	// is empty only for want of facts.
	WorkloadUnknown, ControlPlaneUnknown bool
}

// SSP returns the architectures in SSP's order: control plane, then workload, without
// duplicates (ssp-operator internal/architecture).
func (a Architectures) SSP() []arch.Arch {
	var out []arch.Arch
	for _, one := range slices.Concat(a.ControlPlane, a.Workload) {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// Decide merges the facts by precedence, field by field, and applies the placement.
// single narrows the workload nodes to one architecture. "" does not narrow them.
//
// Decide returns an error finding if it cannot determine the workload architectures, or
// if the set is empty: goldenarch decides nothing on incomplete facts. An unknown
// control plane is not an error.
func Decide(facts []Facts, p Placement, single arch.Arch) (Architectures, finding.List) {
	workload, found := highest("workload", workloadAnswers(facts, p, single))
	controlPlane, more := highest("control-plane", controlPlaneAnswers(facts))
	found = append(found, more...)
	out := Architectures{
		Workload: workload.set, ControlPlane: controlPlane.set,
		ControlPlaneUnknown: controlPlane.source == "",
		WorkloadUnknown: len(workload.set) == 0 && (workload.source == "" || workload.partial) &&
			!slices.ContainsFunc(facts, func(f Facts) bool { return f.NoWorkload }),
	}
	switch {
	case found.Failed():
		return out, found
	case len(out.Workload) == 0:
		return out, append(found, noWorkload(facts, p))
	case single != "":
		out.Workload = workload.set.Intersect(arch.NewSet(single))
		if len(out.Workload) == 0 {
			return out, append(found, notSingle(single, workload))
		}
		found = append(found, refusedSingle(facts, p, single)...)
	}
	if out.ControlPlaneUnknown {
		workload.fallback = "" // the first architecture of the control plane may count instead
	}
	out.Default = out.defaultOr(workload.fallback)
	return out, found
}

// defaultOr returns the default workload architecture. The first one of the control
// plane counts if it is a workload architecture. Otherwise it is the most frequent one,
// which is clear if there is only one, and else the fallback.
func (a Architectures) defaultOr(fallback arch.Arch) arch.Arch {
	switch {
	case len(a.ControlPlane) > 0 && a.Workload.Contains(a.ControlPlane[0]):
		return a.ControlPlane[0]
	case len(a.Workload) == 1:
		return a.Workload[0]
	case a.Workload.Contains(fallback):
		return fallback
	default:
		return ""
	}
}
