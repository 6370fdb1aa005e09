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
	// HCO writes nodeInfo in each status, and leaves out an empty list in it (hco
	// api/v1/hyperconverged_types.go).
	info, _ := t.get("status", "nodeInfo")
	_, written := info.(map[string]any)
	f.NoWorkload, f.NoControlPlane = written && len(f.Workload) == 0, written && len(f.ControlPlane) == 0
	return f, written, nil
}

func verbatim(list []string) arch.Set {
	out := make([]arch.Arch, len(list))
	for i, s := range list {
		out[i] = arch.Arch(s)
	}
	return arch.NewSet(out...)
}
