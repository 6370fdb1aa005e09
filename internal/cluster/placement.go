package cluster

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// Placement says on which nodes workloads run.
type Placement struct {
	NodeSelector map[string]string
	Affinity     *corev1.Affinity
}

// ValidatePlacement returns what HCO's webhook refuses of a placement: a
// required node affinity with an invalid term. An empty list and empty terms
// are valid there; they match no node (hco pkg/webhooks/validator).
func ValidatePlacement(p Placement) error {
	required := p.required()
	if required == nil {
		return nil
	}
	_, err := nodeaffinity.NewNodeSelector(required)
	return err
}

func (p Placement) required() *corev1.NodeSelector {
	if p.Affinity == nil || p.Affinity.NodeAffinity == nil {
		return nil
	}
	return p.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// selects reports whether the placement says anything that HCO heeds. Taints,
// preferences and pod affinity it does not (hco nodeinfo/architectures.go:
// hasWorkloadRequirements).
func (p Placement) selects() bool { return len(p.NodeSelector) > 0 || p.required() != nil }
