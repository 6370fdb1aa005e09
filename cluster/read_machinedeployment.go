package cluster

import "strings"

// readMachineDeployment reads a MachineDeployment of Cluster API. Only some
// labels of a machine reach its node: roles, and those of two other prefixes
// (cluster-api: metadata propagation).
func readMachineDeployment(t tree) (Facts, bool, error) {
	a, err := declared(capacityArch(t))
	if err != nil {
		return Facts{}, false, err
	}
	labels := map[string]string{}
	for key, value := range t.labels("spec", "template", "metadata", "labels") {
		if reachesNode(key) {
			labels[key] = value
		}
	}
	f := pool(t.text("metadata", "name"), a, labels,
		"annotate it with "+capacityAnnotation+": kubernetes.io/arch=<architecture>")
	return f, true, nil
}

func reachesNode(label string) bool {
	prefix, _, _ := strings.Cut(label, "/")
	return prefix == "node-role.kubernetes.io" ||
		prefix == "node-restriction.kubernetes.io" || strings.HasSuffix(prefix, ".node-restriction.kubernetes.io") ||
		prefix == "node.cluster.x-k8s.io" || strings.HasSuffix(prefix, ".node.cluster.x-k8s.io")
}
