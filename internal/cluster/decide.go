package cluster

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pattern"
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
	known := map[arch.Arch]bool{} // a live CR may state as many as it likes
	for _, one := range slices.Concat(a.ControlPlane, a.Workload) {
		if !known[one] {
			known[one] = true
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
	controlPlane, more := highest("control-plane", answers(facts,
		func(f Facts) answer { return f.direct(f.ControlPlane, f.NoControlPlane) }, controlPlaneOf))
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
// which is clear if there is only one, and else the fallback (hco from 1.19,
// nodeinfo/architectures.go).
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

// controlPlaneOf answers from nodes and pools. There is no answer if they include no
// control-plane node, or one without an architecture: Git often has the nodes of only
// one role. Only if they are all nodes of the cluster, it has no control-plane node.
func controlPlaneOf(list []Facts) answer {
	var nodes []Node
	var by []string
	all := slices.ContainsFunc(list, func(f Facts) bool { return f.AllNodes })
	for _, f := range list {
		of := f.Nodes
		for _, p := range f.Pools {
			if isControlPlane(p.Node) && p.Architecture == "" {
				return answer{}
			}
			of = append(slices.Clip(of), p.Node)
		}
		if all || len(controlPlane(of)) > 0 {
			nodes, by = append(nodes, of...), append(by, f.source())
		}
	}
	if len(clusters(list)) > 1 {
		return answer{}
	}
	return answer{set: controlPlane(nodes), source: shortened(by)}
}

// Hint is an architecture that something looks like. It is a guess, not a fact: clouds
// add names of instance types at any time.
type Hint struct {
	Architecture arch.Arch
	Why          string
}

// instanceTypes are the names of instance types that suggest an architecture, by the
// field of the provider's configuration.
var instanceTypes = []struct {
	field, what string
	arm64       func() *regexp.Regexp
}{
	{"instanceType", "the instance type", pattern.Of(`^(a1|[a-z]+[0-9]+g[a-z]*)\.`)}, // AWS
	{"vmSize", "the VM size", pattern.Of(`^Standard_[A-Z]+[0-9]+p`)},                 // Azure
	{"machineType", "the machine type", pattern.Of(`^(t2a|c4a|n4a)-`)},               // GCP
}

// providerHint returns the architecture that the provider's configuration in a
// MachineSet suggests.
func providerHint(provider tree) Hint {
	if strings.HasPrefix(provider.text("kind"), "PowerVS") {
		return Hint{arch.PPC64LE, "PowerVS machines are ppc64le"}
	}
	for _, t := range instanceTypes {
		if name := provider.text(t.field); t.arm64().MatchString(name) {
			return Hint{arch.ARM64, t.what + " " + name + " looks like arm64"}
		}
	}
	return Hint{}
}

// aside returns the hint as an addition to the fix.
func (h Hint) aside() string {
	if h.Why == "" {
		return ""
	}
	return " (a hint only: " + h.Why + ")"
}
