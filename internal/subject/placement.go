package subject

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// refusedPlacement reports a node affinity that HCO's validator refuses (hco
// pkg/webhooks/validator/validator.go).
func refusedPlacement(cr *hyperconverged.CR) finding.List {
	var found finding.List
	for _, p := range []struct {
		name      string
		placement hyperconverged.NodePlacement
		path      hyperconverged.Path
	}{
		{"workloads", cr.Workloads, cr.Version.Paths().Workloads},
		{"infra", cr.Infra, cr.Version.Paths().Infra},
	} {
		if err := cluster.ValidatePlacement(cluster.Placement(p.placement)); err != nil {
			found = append(found, finding.Finding{
				ID: finding.AffinityInvalid, Severity: finding.Error, Field: p.path.Child("affinity").String(),
				Text: "invalid " + p.name + " node placement affinity: " + err.Error() + ": HCO refuses the CR", Do: "correct the node affinity",
			})
		}
	}
	if matchesNothing(cr.Workloads.Required()) {
		found = append(found, finding.Finding{
			ID: finding.AffinityInvalid, Severity: finding.Error, Field: cr.Version.Paths().Workloads.Child("affinity").String(),
			Text: "the workload placement requires a node affinity with only empty terms, which match no node: HCO sees no workload architecture",
			Do:   "remove requiredDuringSchedulingIgnoredDuringExecution",
		})
	}
	return found
}

// matchesNothing reports whether no node can match a required node affinity: an empty
// term or an empty list matches no node.
func matchesNothing(required *corev1.NodeSelector) bool {
	return required != nil && !slices.ContainsFunc(required.NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		return len(term.MatchExpressions)+len(term.MatchFields) > 0
	})
}
