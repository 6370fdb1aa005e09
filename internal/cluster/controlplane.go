package cluster

import "slices"

// controlPlaneAnswers returns what the facts say about the control plane.
func controlPlaneAnswers(facts []Facts) []answer {
	return answers(facts, func(f Facts) answer { return f.direct(f.ControlPlane, f.NoControlPlane) }, controlPlaneOf)
}

// controlPlaneOf answers from nodes and pools. There is no answer if they include no
// control-plane node, or one without an architecture: Git often has the nodes of only
// one role. Only if they are all nodes of the cluster, it has no control-plane node.
func controlPlaneOf(list []Facts) answer {
	var nodes []Node
	var by sources
	all := slices.ContainsFunc(list, func(f Facts) bool { return f.AllNodes })
	for _, f := range list {
		of := f.Nodes
		for _, p := range f.Pools {
			if isControlPlane(p.Node) && p.Architecture == "" {
				return answer{}
			}
			of = append(slices.Clip(of), p.Node)
		}
		if all || len(ControlPlane(of)) > 0 {
			nodes, by = append(nodes, of...), append(by, f.source())
		}
	}
	if len(clusters(list)) > 1 {
		return answer{}
	}
	return answer{set: ControlPlane(nodes), source: by.String()}
}
