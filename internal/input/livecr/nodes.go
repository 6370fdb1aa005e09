package livecr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// NodeFacts returns what the live CR says of the nodes that count for a CR. HCO applied
// the workload placement of the live CR before it wrote status.nodeInfo. So its workload
// architectures count only for an equal or a narrower placement. The control plane does
// not depend on the placement.
//
// The finding says why the workload architectures do not count, or what remains unknown
// with the narrower placement; otherwise it is nil.
func (l *CR) NodeFacts(cr *hyperconverged.CR) ([]cluster.Facts, *finding.Finding) {
	if l == nil || len(l.nodes.Workload)+len(l.nodes.ControlPlane) == 0 && !l.nodes.NoWorkload { // it has no status.nodeInfo
		return nil, nil
	}
	facts, wants, had := l.nodes, cluster.Placement(cr.Workloads), cluster.Placement(l.CR.Workloads)
	f := finding.Finding{ID: finding.LivePlacement, Severity: finding.Error, Field: cr.Version.Paths().Workloads.String()}
	switch {
	case wants.SameNodes(had):
		facts.Placed = true
		return []cluster.Facts{facts}, nil
	case !wants.Narrows(had, facts.Workload, arch.NewSet(slices.Concat(facts.Workload, facts.ControlPlane)...)):
		facts.Workload, facts.Default, facts.NoWorkload = nil, "", false
		f.Text = "the live CR has another workload placement, so its status.nodeInfo may describe other nodes: goldenarch does not use its workload architectures"
		f.Do = "pass the Nodes: oc get nodes -o yaml > nodes.yaml, then --nodes nodes.yaml"
		return []cluster.Facts{facts}, &f
	}
	if left, _ := wants.Matchable(facts.Workload); len(left) > 0 {
		facts.Workload = left
	}
	if others := wants.OtherLabels(); len(others) > 0 && !slices.Equal(others, had.OtherLabels()) && len(facts.Workload) > 1 {
		f.Severity = finding.Warning
		f.Text = fmt.Sprintf("the workload placement is narrower than that of the live CR (%s), so it may select fewer architectures than %s",
			strings.Join(others, ", "), facts.Workload)
		f.Do = "pass the Nodes: oc get nodes -o yaml > nodes.yaml, then --nodes nodes.yaml"
		return []cluster.Facts{facts}, &f
	}
	return []cluster.Facts{facts}, nil
}

// AddNodeFinding adds the finding about the node facts of the live CR. It adds nothing if
// the facts, which take precedence, state the workload architectures.
func AddNodeFinding(found finding.List, about *finding.Finding, facts []cluster.Facts) finding.List {
	if about == nil || statesWorkload(facts) {
		return found
	}
	if about.Severity == finding.Error {
		found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.NoNodeFacts })
	}
	return append(found, *about)
}

// statesWorkload reports whether facts that take precedence over the live CR describe the
// workload nodes.
func statesWorkload(facts []cluster.Facts) bool {
	return slices.ContainsFunc(facts, func(f cluster.Facts) bool {
		return f.Class < cluster.Dumped && len(f.Workload)+len(f.Nodes) > 0
	})
}
