package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// noWorkload returns the finding that says why the cluster has no workload
// architecture.
func noWorkload(facts []Facts, p Placement) finding.Finding {
	f := finding.Finding{
		ID: finding.NoNodeFacts, Severity: finding.Error,
		Text: "nothing in the input says which architectures the workload nodes have",
		Do: "state them: --workload-architectures amd64,arm64 --control-plane-architectures amd64, " +
			"or spec.cluster: {workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}, or add a ClusterArchitectures",
	}
	switch nodes := slices.ContainsFunc(facts, func(f Facts) bool { return len(f.Nodes)+len(f.Pools) > 0 }); {
	case nodes && p.selects():
		f.Text = "no node of the input matches the workload placement of the CR, so HCO sees no workload architecture"
		f.Do = "correct the placement, or the labels of the nodes"
	case nodes:
		f.Text = "no node of the input has the label " + workerLabel + ": HCO counts only these nodes and those that the workload placement selects"
		f.Do = "label the nodes, or " + stateArchitectures
	}
	return f
}

func multipleClusters(names []string) finding.Finding {
	return finding.Finding{
		ID: finding.NoNodeFacts, Severity: finding.Error,
		Text: fmt.Sprintf("the worker pools of the input belong to %d clusters (%s), and goldenarch does not know which of them the CR is for",
			len(names), sources(names)),
		Do: stateArchitectures,
	}
}

// contradictedHints reports pools that declare one architecture and look like another.
// The declared one counts.
func (f Facts) contradictedHints() finding.List {
	var found finding.List
	for _, p := range f.Pools {
		if p.Architecture != "" && p.Hint.Why != "" && p.Hint.Architecture != p.Architecture {
			found = append(found, finding.Finding{
				ID: finding.NodeHint, Severity: finding.Info, Object: f.Object,
				Text: fmt.Sprintf("%s declares %s, but %s. goldenarch uses the declared value", f.Object, p.Architecture, p.Hint.Why),
			})
		}
	}
	return found
}

func notSingle(single arch.Arch, workload answer) finding.Finding {
	return finding.Finding{
		ID: finding.SingleArchitecture, Severity: finding.Error,
		Text: fmt.Sprintf("spec.singleArchitecture is %s, but workload nodes have %s (%s)", single, workload.set, workload.source),
		Do:   "set it to an architecture that workload nodes have",
	}
}

// sources is a list of names that a message shortens.
type sources []string

// String returns the first three names, and how many more there are.
func (s sources) String() string {
	const enough = 3
	if len(s) > enough {
		return fmt.Sprintf("%s and %d more", strings.Join(s[:enough], ", "), len(s)-enough)
	}
	return strings.Join(s, ", ")
}
