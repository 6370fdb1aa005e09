package cluster

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// restrictedTo returns a placement that selects those of this placement's nodes that
// have one architecture. HCO evaluates labels there, not the architecture in the node's
// status.
func (p Placement) restrictedTo(a arch.Arch) Placement {
	only := corev1.NodeSelectorRequirement{Key: archLabel, Operator: corev1.NodeSelectorOpIn, Values: []string{string(a)}}
	required := p.required().DeepCopy()
	if required == nil {
		required = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{}}}
		if !p.selects() {
			worker := corev1.NodeSelectorRequirement{Key: workerLabel, Operator: corev1.NodeSelectorOpExists}
			required.NodeSelectorTerms[0].MatchExpressions = []corev1.NodeSelectorRequirement{worker}
		}
		required.NodeSelectorTerms[0].MatchExpressions = append(required.NodeSelectorTerms[0].MatchExpressions, only)
	} else {
		for i := range required.NodeSelectorTerms {
			term := &required.NodeSelectorTerms[i]
			if len(term.MatchExpressions)+len(term.MatchFields) > 0 { // an empty term matches no node
				term.MatchExpressions = append(term.MatchExpressions, only)
			}
		}
	}
	return Placement{
		NodeSelector: maps.Clone(p.NodeSelector),
		Affinity:     &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}},
	}
}

// refusedSingle reports an architecture to which the workload placement cannot be
// restricted, because no node of it would remain. These are the known nodes, or any
// nodes if only architectures are stated.
func refusedSingle(facts []Facts, p Placement, single arch.Arch) finding.List {
	restricted := p.restrictedTo(single)
	f := finding.Finding{ID: finding.SingleArchitecture, Severity: finding.Error}
	if !restricted.canMatch(single) {
		f.Text = fmt.Sprintf("spec.singleArchitecture is %s, but the workload placement of the CR matches no node of that architecture", single)
		f.Do = "correct one of them"
		return finding.List{f}
	}
	// What is uncertain with the restricted placement was uncertain before.
	if left, _ := highest("workload", workloadAnswers(facts, restricted, single)); !left.partial && !left.set.Contains(single) {
		f.Text = fmt.Sprintf("spec.singleArchitecture is %s, but no workload node of that architecture has the label %s=%s, which the placement uses",
			single, archLabel, single)
		f.Do = "add the label to the nodes, as the kubelet does"
		return finding.List{f}
	}
	return nil
}
