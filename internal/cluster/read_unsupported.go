package cluster

// readUnsupported takes note of a worker pool of a kind whose architecture is not
// read: without it, what the other pools say would pass for the whole. One that
// another object owns is reported of by its owner, such as a MachineSet by its
// MachineDeployment.
func readUnsupported(t tree) (Facts, bool, error) {
	if len(t.list("metadata", "ownerReferences")) > 0 {
		return Facts{}, false, nil
	}
	return Facts{Class: Pooled, Pools: []Pool{{Node: Node{Count: 1}}}}, true, nil
}
