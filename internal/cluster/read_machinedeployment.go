package cluster

import "strings"

// readMachineDeployment reads a MachineDeployment of Cluster API. Only some labels of a
// machine reach its node: roles, and those of two other domains (cluster-api: metadata
// propagation). Nothing gives its nodes the worker label automatically, and a user who
// sets it by hand leaves no trace in this object. So unless the template or the
// annotation has that label, it is not known whether HCO counts the nodes.
func readMachineDeployment(t tree) (Facts, bool, error) {
	labels, declaration := capacity(t)
	a, err := declared(declaration)
	if err != nil {
		return Facts{}, false, err
	}
	for key, value := range t.labels("spec", "template", "metadata", "labels") {
		if reachesNode(key) {
			labels[key] = value
		}
	}
	return Facts{
		Class: Pooled, Cluster: t.text("spec", "clusterName"),
		Pools: []Pool{{
			Node: newNode("", a, labels), Lacks: workersOnly,
			Declare: "annotate it with " + capacityAnnotation + ": kubernetes.io/arch=<architecture>",
		}},
	}, true, nil
}

// readClusterAPIPool reads a MachineSet or a MachinePool of Cluster API, which have the
// fields of a MachineDeployment. It skips a MachineSet that another object owns, because
// the MachineDeployment counts.
func readClusterAPIPool(t tree) (Facts, bool, error) {
	if len(t.list("metadata", "ownerReferences")) > 0 {
		return Facts{}, false, nil
	}
	return readMachineDeployment(t)
}

func reachesNode(label string) bool {
	prefix, _, _ := strings.Cut(label, "/")
	return prefix == "node-role.kubernetes.io" ||
		prefix == "node-restriction.kubernetes.io" || strings.HasSuffix(prefix, ".node-restriction.kubernetes.io") ||
		prefix == "node.cluster.x-k8s.io" || strings.HasSuffix(prefix, ".node.cluster.x-k8s.io")
}
