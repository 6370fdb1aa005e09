package cluster

import (
	"slices"
	"strings"
)

// readMachineDeployment reads a MachineDeployment of Cluster API. Only some labels of a
// machine reach its node: roles, and those of two other domains (cluster-api
// util/labels/helpers.go: GetManagedLabels). Nothing gives its nodes the worker label
// automatically, and a user who sets it by hand leaves no trace in this object. So unless
// the template or the annotation has that label, it is not known whether HCO counts the
// nodes.
func readMachineDeployment(t tree) (Facts, bool, error) {
	return clusterAPIPool(t, Pool{}, t.labels("spec", "template", "metadata", "labels"))
}

// readClusterAPIMachineSet reads a MachineSet of Cluster API like a MachineDeployment. It
// skips one that a MachineDeployment owns, because the MachineDeployment counts. Cluster
// API makes the Cluster the owner of any other (cluster-api
// core/reconcilers/machineset/machineset_controller.go: reconcileMachineSetOwnerAndLabels).
func readClusterAPIMachineSet(t tree) (Facts, bool, error) {
	if slices.ContainsFunc(t.list("metadata", "ownerReferences"), func(owner tree) bool { return owner.text("kind") == "MachineDeployment" }) {
		return Facts{}, false, nil
	}
	return readMachineDeployment(t)
}

// readClusterAPIMachinePool reads a MachinePool of Cluster API. Its controller sets
// annotations of the nodes, and no labels (cluster-api
// core/reconcilers/machinepool/machinepool_controller_noderef.go: patchNodes). Only some
// providers make a Machine for each node, which would pass labels of the template on, and
// the MachinePool does not say so. So only the annotation declares labels.
func readClusterAPIMachinePool(t tree) (Facts, bool, error) {
	return clusterAPIPool(t, Pool{DeclareLabel: "add the label to the annotation " + capacityAnnotation + ", if the nodes have it"}, nil)
}

// clusterAPIPool reads what the pools of Cluster API have in common. machine are labels of
// the machines.
func clusterAPIPool(t tree, p Pool, machine map[string]string) (Facts, bool, error) {
	labels, declaration := capacity(t)
	a, err := declared(declaration)
	if err != nil {
		return Facts{}, false, err
	}
	for key, value := range machine {
		if reachesNode(key) {
			labels[key] = value
		}
	}
	p.Node, p.Lacks = newNode("", a, labels), workersOnly
	p.Declare = "annotate it with " + capacityAnnotation + ": kubernetes.io/arch=<architecture>"
	return Facts{Class: Pooled, Cluster: t.text("spec", "clusterName"), Pools: []Pool{p}}, true, nil
}

func reachesNode(label string) bool {
	prefix, _, _ := strings.Cut(label, "/")
	return prefix == "node-role.kubernetes.io" ||
		prefix == "node-restriction.kubernetes.io" || strings.HasSuffix(prefix, ".node-restriction.kubernetes.io") ||
		prefix == "node.cluster.x-k8s.io" || strings.HasSuffix(prefix, ".node.cluster.x-k8s.io")
}
