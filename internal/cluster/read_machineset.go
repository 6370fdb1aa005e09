package cluster

import "strings"

// readMachineSet reads a MachineSet of OpenShift. Three fields may declare its
// architecture, and they must agree. Its machines become nodes with the worker label if
// their role, or the configuration they boot with, is that of workers. A set of another
// role may also create workers (infra nodes often are), so for such a set this is not
// known. A set of the control plane is not a worker pool.
func readMachineSet(t tree) (Facts, bool, error) {
	machine := t.child("spec", "template")
	machineLabels := machine.labels("metadata", "labels")
	role := machineLabels["machine.openshift.io/cluster-api-machine-role"]
	if role == "master" || role == "control-plane" {
		return Facts{}, false, nil
	}
	labels, annotated := capacity(t)
	own := machine.labels("spec", "metadata", "labels")
	declarations := []declaration{annotated, {"spec.template.spec.metadata.labels[" + archLabel + "]", own[archLabel]}}
	for _, taint := range machine.list("spec", "taints") {
		if taint.text("key") == multiArchTaint {
			declarations = append(declarations, declaration{"spec.template.spec.taints[" + multiArchTaint + "]", taint.text("value")})
		}
	}
	a, err := declared(declarations...)
	if err != nil {
		return Facts{}, false, err
	}
	labels = overlay(labels, own)
	provider := machine.lenient().child("spec", "providerSpec", "value")
	if role == "worker" || strings.HasPrefix(provider.text("userDataSecret", "name"), "worker-user-data") {
		withWorker(labels)
	}
	if machineLabels["machine.openshift.io/os-id"] == "Windows" { // windows-machine-config-operator
		labels[osLabel] = "windows"
	}
	return Facts{
		Class: Pooled, Cluster: clusterOfInfra(machineLabels["machine.openshift.io/cluster-api-cluster"]),
		Pools: []Pool{{
			Node: newNode("", a, labels), Lacks: workersOnly,
			Declare: "annotate it with " + capacityAnnotation + ": kubernetes.io/arch=<architecture>",
			Hint:    providerHint(provider),
		}},
	}, true, nil
}
