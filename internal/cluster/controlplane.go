package cluster

import "slices"

// controlPlaneAnswers returns what the facts say about the control plane.
func controlPlaneAnswers(facts []Facts) []answer {
	return answers(facts, func(f Facts) answer { return f.direct(f.ControlPlane) }, controlPlaneOf)
}

// controlPlaneOf answers from nodes and pools. The answer is empty if they include no
// control-plane node, or one without an architecture: Git often has the nodes of only
// one role.
func controlPlaneOf(list []Facts) answer {
	var nodes []Node
	var by sources
	for _, f := range list {
		of := f.Nodes
		for _, p := range f.Pools {
			if isControlPlane(p.Node) && p.Architecture == "" {
				return answer{}
			}
			of = append(slices.Clip(of), p.Node)
		}
		if len(ControlPlane(of)) > 0 {
			nodes, by = append(nodes, of...), append(by, f.source())
		}
	}
	if len(clusters(list)) > 1 {
		return answer{}
	}
	return answer{set: ControlPlane(nodes), source: by.String()}
}
