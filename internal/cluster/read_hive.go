package cluster

// hivePlatforms are the fields of a MachinePool of hive with the instance type, and the
// field of a MachineSet that it becomes.
var hivePlatforms = []struct{ platform, field string }{{"aws", "instanceType"}, {"azure", "vmSize"}, {"gcp", "machineType"}}

// readHiveMachinePool reads a MachinePool of hive. hive makes MachineSets of it that boot
// with worker-user-data, the configuration of workers (hive pkg/controller/machinepool:
// workerUserDataName), whatever its name. spec.labels become the labels of their nodes
// (machinepool_controller.go: generateMachineSets). It has no field for the architecture,
// on no platform (hive apis/hive/v1/machinepool_types.go).
func readHiveMachinePool(t tree) (Facts, bool, error) {
	labels := t.labels("spec", "labels")
	a, err := declared(declaration{"spec.labels[" + archLabel + "]", labels[archLabel]})
	if err != nil {
		return Facts{}, false, err
	}
	withWorker(labels)
	var hint Hint
	for _, p := range hivePlatforms {
		if name := t.lenient().text("spec", "platform", p.platform, "type"); name != "" {
			hint = providerHint(newTree(map[string]any{p.field: name}))
		}
	}
	return Facts{
		Class: Pooled, Cluster: t.text("spec", "clusterDeploymentRef", "name"),
		Pools: []Pool{{
			Node: newNode("", a, labels), Lacks: workersOnly,
			Declare: "add the label to spec.labels: {" + archLabel + ": <architecture>}", Hint: hint,
		}},
	}, true, nil
}
