package cluster

import (
	"cmp"
	"fmt"
)

// readClusterInstance reads a ClusterInstance of the SiteConfig operator: its
// nodes, each with a role. spec.cpuArchitecture is the default of the nodes and
// has the default x86_64 itself; "multi" says nothing of a node (siteconfig
// api/v1alpha1/clusterinstance_types.go).
func readClusterInstance(t tree) (Facts, bool, error) {
	f := Facts{Class: Pooled, Pool: true}
	general := cmp.Or(t.text("spec", "cpuArchitecture"), "x86_64")
	nodes := t.list("spec", "nodes")
	compact := true // without a worker, the control plane runs workloads
	for _, n := range nodes {
		compact = compact && n.text("role") != "worker"
	}
	for i, n := range nodes {
		field := fmt.Sprintf("spec.nodes[%d].cpuArchitecture", i)
		value := cmp.Or(n.text("cpuArchitecture"), general)
		if value == "multi" {
			f.Undeclared = "set " + field + ": x86_64 or aarch64"
			continue
		}
		a, err := declared(declaration{field, value})
		if err != nil {
			return Facts{}, false, err
		}
		labels := n.labels("nodeLabels")
		if n.text("role") == "worker" || compact {
			withWorker(labels)
		}
		if n.text("role") != "worker" {
			labels[controlPlaneLabel], labels[masterLabel] = "", ""
		}
		f.Nodes = append(f.Nodes, newNode(n.text("hostName"), a, labels))
	}
	return f, len(nodes) > 0, nil
}
