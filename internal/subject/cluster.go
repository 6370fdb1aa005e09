package subject

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// clusterOf computes the architectures of the cluster that a CR is for.
func clusterOf(in input.Input, cr input.Resource, live *livecr.CR, spec *settings.Settings) (cluster.Architectures, finding.List) {
	facts := in.Facts
	if stated, says := cluster.FromConfig(spec.Cluster); says {
		facts = slices.Concat([]cluster.Facts{stated}, facts)
	}
	shown, about := live.NodeFacts(cr.Model)
	facts = slices.Concat(facts, shown)
	if !in.Nodes.NoStatus {
		facts = livecr.AddDumped(cr.Object, facts)
	}
	out, found := Architectures(cr.Model, facts, arch.NamedOne(spec.SingleArchitecture))
	return out, livecr.AddNodeFinding(found, about, facts)
}

// Architectures computes the architectures for a CR. A finding about its workload
// placement names the field.
func Architectures(cr *hyperconverged.CR, facts []cluster.Facts, single arch.Arch) (cluster.Architectures, finding.List) {
	out, found := cluster.Decide(facts, cluster.Placement(cr.Workloads), single)
	for i := range found {
		if IsUnmatchable(found[i]) {
			found[i].Field = cr.Version.Paths().Workloads.String()
		}
	}
	return out, found
}

// IsUnmatchable reports whether a finding says that the workload placement rules out
// stated architectures.
func IsUnmatchable(f finding.Finding) bool { return f.ID == finding.StatedUnmatchable }
