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

// ValidatePlacement returns HCO's error for a placement: its webhook refuses a required
// node affinity with an invalid term. An empty list and empty terms are valid there,
// and match no node (hco pkg/webhooks/validator).
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

// selects reports whether the placement has a condition that HCO evaluates. HCO ignores
// taints, preferences and pod affinity (hco nodeinfo/architectures.go:
// hasWorkloadRequirements).
func (p Placement) selects() bool { return len(p.NodeSelector) > 0 || p.required() != nil }
