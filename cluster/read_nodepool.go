package cluster

import "cmp"

// readNodePool reads a NodePool of HyperShift. Its field spec.arch has the
// default amd64 in the API itself, so that nothing said is amd64, not unknown
// (hypershift api/hypershift/v1beta1/nodepool_types.go). Its nodes are workers.
func readNodePool(t tree) (Facts, bool, error) {
	a, err := declared(declaration{"spec.arch", cmp.Or(t.text("spec", "arch"), "amd64")})
	if err != nil {
		return Facts{}, false, err
	}
	return pool(t.text("metadata", "name"), a, withWorker(t.labels("spec", "nodeLabels")), ""), true, nil
}
