package cluster

import "github.com/goldenarch/goldenarch/internal/arch"

// readStatus reads status.nodeInfo of a CR that was dumped from a cluster: what HCO
// itself computed there.
func readStatus(t tree) (Facts, bool, error) {
	f := Facts{
		Class:        Dumped,
		Workload:     verbatim(t.texts("status", "nodeInfo", "workloadsArchitectures")),
		ControlPlane: verbatim(t.texts("status", "nodeInfo", "controlPlaneArchitectures")),
		Default:      arch.Arch(t.text("status", "nodeInfo", "defaultWorkloadArchitecture")),
	}
	// HCO writes both lists at once, and leaves out an empty one (hco api/v1/hyperconverged_types.go).
	f.NoControlPlane = len(f.Workload) > 0 && len(f.ControlPlane) == 0
	return f, f.says(), nil
}

func verbatim(list []string) arch.Set {
	out := make([]arch.Arch, len(list))
	for i, s := range list {
		out[i] = arch.Arch(s)
	}
	return arch.NewSet(out...)
}
