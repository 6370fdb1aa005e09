package cluster

import "cmp"

// nodePoolLabel is the label that HyperShift sets on the nodes of a pool: the pool's
// name (hypershift api/hypershift/v1beta1/nodepool_types.go).
const nodePoolLabel = "hypershift.openshift.io/nodePool"

// readNodePool reads a NodePool of HyperShift. The API server itself writes amd64 if
// spec.arch is missing (the field's default in nodepool_types.go), so a missing value
// is a fact, not a guess. The nodes are workers. It is not known whether they lack the
// control-plane label, because older HCOs set it there.
//
// A pool on the platform KubeVirt gives no facts: its nodes are virtual machines that
// run on the cluster of the CR.
func readNodePool(t tree) (Facts, bool, error) {
	if t.text("spec", "platform", "type") == "KubeVirt" {
		return Facts{}, false, nil
	}
	a, err := declared(declaration{"spec.arch", cmp.Or(t.text("spec", "arch"), "amd64")})
	if err != nil {
		return Facts{}, false, err
	}
	labels := withWorker(t.labels("spec", "nodeLabels"))
	if name := t.text("metadata", "name"); name != "" {
		labels[nodePoolLabel] = name
	}
	if t.text("spec", "platform", "aws", "imageType") == "Windows" {
		labels[osLabel] = "windows"
	}
	return Facts{
		Class: Pooled, Cluster: t.text("spec", "clusterName"),
		Pools: []Pool{{Node: newNode("", a, labels)}},
	}, true, nil
}
