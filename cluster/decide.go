package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/finding"
)

// Architectures is what a cluster has, as HCO computes it.
type Architectures struct {
	Workload     arch.Set
	ControlPlane arch.Set
	// Default is the default workload architecture.
	Default arch.Arch
}

// SSP returns the architectures in SSP's order: control plane, then workload,
// each where it comes first (ssp-operator internal/architecture).
func (a Architectures) SSP() []arch.Arch {
	var out []arch.Arch
	for _, one := range slices.Concat(a.ControlPlane, a.Workload) {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// Decide merges the facts by precedence, a field at a time, and applies the
// placement. single narrows the workload nodes to one architecture; "" does
// not.
//
// Where the workload architectures cannot be told, or there are none, that is
// an error finding: nothing may be decided on half-knowledge.
func Decide(facts []Facts, p Placement, single arch.Arch) (Architectures, finding.List) {
	workload, found := merge(facts, "workload", func(list []Facts) (answer, finding.List) { return workloadOf(list, p) })
	controlPlane, more := merge(facts, "control-plane", controlPlaneOf)
	found = append(found, more...)
	out := Architectures{Workload: workload.set, ControlPlane: controlPlane.set}
	if !found.Failed() && len(out.Workload) == 0 {
		return out, append(found, noWorkload(facts, p))
	}
	if single != "" && len(out.Workload) > 0 {
		narrowed := out.Workload.Intersect(arch.NewSet(single))
		if len(narrowed) == 0 {
			return out, append(found, finding.Finding{
				ID: finding.SingleArchitecture, Severity: finding.Error,
				Text: fmt.Sprintf("spec.singleArchitecture is %s, but workload nodes have %s (%s)", single, out.Workload, workload.source),
				Do:   "set it to an architecture that workload nodes have",
			})
		}
		out.Workload = narrowed
	}
	out.Default = defaultOf(out, workload.nodes, p)
	return out, found
}

// answer is what the facts of one class say of one field.
type answer struct {
	set    arch.Set
	nodes  []Node
	source string
}

// merge takes the answer of the highest class that has one, and tells where a
// lower class says something else.
func merge(facts []Facts, field string, answerOf func([]Facts) (answer, finding.List)) (answer, finding.List) {
	var best answer
	var found finding.List
	for class := Stated; class <= Pooled; class++ {
		list := slices.DeleteFunc(slices.Clone(facts), func(f Facts) bool { return f.Class != class })
		a, problems := answerOf(list)
		switch {
		case best.source != "":
			if a.source != "" && !problems.Failed() && !a.set.Equal(best.set) {
				found = append(found, finding.Finding{
					ID: finding.NodeFactsDisagree, Severity: finding.Warning,
					Text: fmt.Sprintf("%s says that %s nodes have %s, %s says %s; the first counts", best.source, field, orNone(best.set), a.source, orNone(a.set)),
					Do:   "correct one of them",
				})
			}
		case problems.Failed():
			return a, append(found, problems...)
		case a.source != "":
			best = a
		}
	}
	return best, found
}

// workloadOf answers for the workload nodes. What is said directly comes before
// what nodes give.
func workloadOf(list []Facts, p Placement) (answer, finding.List) {
	if direct, found := said(list, "workload", func(f Facts) arch.Set { return f.Workload }); direct.source != "" {
		return direct, found
	}
	a := answer{}
	var found finding.List
	var sources []string
	for _, f := range list {
		if f.Undeclared != "" {
			found = append(found, undeclared(f, "does not declare its architecture", f.Undeclared))
		}
		if label := unknownLabel(f, p); label != "" {
			found = append(found, undeclared(f, fmt.Sprintf("does not declare the label %q, which the workload placement asks for", label),
				"state the architectures: spec.cluster.workloadArchitectures: [amd64]"))
		}
		if len(f.Nodes) > 0 || f.Undeclared != "" {
			sources = append(sources, f.source())
		}
		a.nodes = append(a.nodes, f.Nodes...)
	}
	a.set, a.source = Workload(a.nodes, p), short(sources)
	return a, found
}

// controlPlaneOf answers for the control-plane nodes. Not to know them is no
// error: nothing that is written depends on them.
func controlPlaneOf(list []Facts) (answer, finding.List) {
	if direct, found := said(list, "control-plane", func(f Facts) arch.Set { return f.ControlPlane }); direct.source != "" {
		return direct, found
	}
	a := answer{}
	var sources []string
	for _, f := range list {
		if len(f.Nodes) > 0 && len(ControlPlane(f.Nodes)) > 0 {
			sources = append(sources, f.source())
			a.nodes = append(a.nodes, f.Nodes...)
		}
	}
	a.set, a.source = ControlPlane(a.nodes), short(sources)
	return a, nil
}

// said answers with what the facts say directly; the first counts, and another
// that differs is told.
func said(list []Facts, field string, of func(Facts) arch.Set) (answer, finding.List) {
	var a answer
	var found finding.List
	for _, f := range list {
		set := of(f)
		switch {
		case len(set) == 0:
		case a.source == "":
			a = answer{set: set, source: f.source()}
		case !set.Equal(a.set):
			found = append(found, finding.Finding{
				ID: finding.NodeFactsDisagree, Severity: finding.Warning,
				Text: fmt.Sprintf("%s says that %s nodes have %s, %s says %s; the first counts", a.source, field, a.set, f.source(), set),
				Do:   "correct one of them",
			})
		}
	}
	return a, found
}

// unknownLabel returns a label that the placement asks for and that the nodes
// of a pool may have or not, "" if there is none.
func unknownLabel(f Facts, p Placement) string {
	if !f.Pool || !p.selects() {
		return ""
	}
	for _, n := range f.Nodes {
		for _, label := range p.labels() {
			if !n.has(label) && !strings.HasPrefix(label, "node-role.kubernetes.io/") {
				return label
			}
		}
	}
	if p.fields() && len(f.Nodes) > 0 {
		return "metadata.name"
	}
	return ""
}

func undeclared(f Facts, what, do string) finding.Finding {
	return finding.Finding{
		ID: finding.PoolUndeclared, Severity: finding.Error, Object: f.Object,
		Text: fmt.Sprintf("the worker pool %s %s", f.Object, what), Do: do,
	}
}

func noWorkload(facts []Facts, p Placement) finding.Finding {
	f := finding.Finding{
		ID: finding.NoNodeFacts, Severity: finding.Error,
		Text: "nothing in the input says which architectures the workload nodes have",
		Do:   "state them: spec.cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}, or add a ClusterArchitectures",
	}
	switch nodes := slices.ContainsFunc(facts, func(f Facts) bool { return len(f.Nodes) > 0 }); {
	case nodes && p.selects():
		f.Text = "no node of the input matches the workload placement of the CR, so HCO sees no workload architecture"
		f.Do = "correct the placement, or the labels of the nodes"
	case nodes:
		f.Text = "no node of the input has the label " + workerLabel + ", and HCO counts no other as a workload node unless the workload placement selects it"
		f.Do = "label the nodes, or state the architectures: spec.cluster.workloadArchitectures: [amd64]"
	}
	return f
}

// defaultOf returns the default workload architecture, by the number of nodes
// where they are known.
func defaultOf(a Architectures, nodes []Node, p Placement) arch.Arch {
	if len(a.ControlPlane) > 0 && a.Workload.Contains(a.ControlPlane[0]) {
		return a.ControlPlane[0]
	}
	if d := Default(nodes, p); a.Workload.Contains(d) {
		return d
	}
	if len(a.Workload) == 1 {
		return a.Workload[0]
	}
	return ""
}

// sspArchitectures are the only ones SSP knows (ssp-operator
// internal/architecture/architecture.go).
var sspArchitectures = arch.NewSet(arch.AMD64, arch.ARM64, arch.S390X)

// Refused tells of architectures that make SSP refuse the whole SSP CR, so that
// no golden image is made or updated. Call it for OpenShift only, where SSP is.
func Refused(a Architectures) finding.List {
	var found finding.List
	for _, one := range a.SSP() {
		if sspArchitectures.Contains(one) {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.ArchitectureRefused, Severity: finding.Warning,
			Text: fmt.Sprintf("SSP knows %s only and refuses a cluster with %s nodes: no golden image is made or updated", sspArchitectures, one),
			Do:   "leave such nodes out of the workload placement",
		})
	}
	return found
}

func short(sources []string) string {
	const enough = 3
	if len(sources) > enough {
		return fmt.Sprintf("%s and %d more", strings.Join(sources[:enough], ", "), len(sources)-enough)
	}
	return strings.Join(sources, ", ")
}

func orNone(s arch.Set) string {
	if len(s) == 0 {
		return "none"
	}
	return s.String()
}
