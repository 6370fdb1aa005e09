package cluster

// readUnsupported records a worker pool of a kind whose architecture goldenarch does
// not read. Without it, the other pools would seem to be all of them. It skips a pool
// that another object owns, because its owner counts, such as the MachineDeployment of
// a MachineSet.
func readUnsupported(t tree) (Facts, bool, error) {
	if len(t.list("metadata", "ownerReferences")) > 0 {
		return Facts{}, false, nil
	}
	return Facts{Class: Pooled, Pools: []Pool{{Node: Node{Count: 1}}}}, true, nil
}
