package cluster

import (
	"cmp"
	"fmt"
)

// readClusterInstance reads a ClusterInstance of the SiteConfig operator: its nodes,
// each with a role. spec.cpuArchitecture is the default of the nodes. If it is missing,
// it defaults to x86_64. "multi" says nothing about a node (siteconfig
// api/v1alpha1/clusterinstance_types.go).
func readClusterInstance(t tree) (Facts, bool, error) {
	f := Facts{Class: Pooled, Cluster: t.text("spec", "clusterName")}
	general := cmp.Or(t.text("spec", "cpuArchitecture"), "x86_64")
	nodes := t.list("spec", "nodes")
	workers := 0
	for _, n := range nodes {
		if n.text("role") == "worker" {
			workers++
		}
	}
	for i, n := range nodes {
		field := fmt.Sprintf("spec.nodes[%d].cpuArchitecture", i)
		value := cmp.Or(n.text("cpuArchitecture"), general)
		if value == "multi" {
			value = ""
		}
		a, err := declared(declaration{field, value})
		if err != nil {
			return Facts{}, false, err
		}
		labels, lacks := roleLabels(n.text("role"), workers)
		f.Pools = append(f.Pools, Pool{
			Node:    newNode(n.text("hostName"), a, overlay(n.labels("nodeLabels"), labels)),
			Lacks:   lacks,
			Declare: "set " + field + ": <x86_64 or aarch64>",
		})
	}
	return f, len(nodes) > 0, nil
}

// roleLabels returns the labels that a node of this role has, and those that it lacks.
// Without a worker, the control plane runs workloads and has the worker label too. With
// a single worker it may have that label (assisted-service:
// schedulable_masters_forced_true).
func roleLabels(role string, workers int) (has map[string]string, lacks []string) {
	switch role {
	case "worker":
		return withWorker(map[string]string{}), workersOnly
	case "arbiter": // etcd only
		return map[string]string{"node-role.kubernetes.io/arbiter": ""}, []string{workerLabel, controlPlaneLabel, masterLabel}
	}
	has = map[string]string{controlPlaneLabel: "", masterLabel: ""} // master is the default
	switch workers {
	case 0:
		return withWorker(has), nil
	case 1:
		return has, nil
	default:
		return has, []string{workerLabel}
	}
}
