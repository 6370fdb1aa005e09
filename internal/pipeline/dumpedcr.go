package pipeline

import (
	"encoding/json"
	"slices"

	"github.com/goldenarch/goldenarch/internal/cluster"
)

// withDump adds what the status of a dumped CR tells of the nodes.
func withDump(o object, facts []cluster.Facts) []cluster.Facts {
	if nodeAt(o.node, "status") == nil {
		return facts
	}
	tree, err := o.tree()
	if err != nil {
		return facts
	}
	if dumped, says, err := cluster.Read(tree, o.at); err == nil && says {
		return append(slices.Clone(facts), dumped)
	}
	return facts
}

// liveSchedule returns the schedule that HCO drew for the predefined templates,
// where the CR is a dump that has it.
func liveSchedule(data []byte) string {
	var live struct {
		Status struct {
			Schedule string `json:"dataImportSchedule"`
		} `json:"status"`
	}
	if err := json.Unmarshal(data, &live); err != nil {
		return ""
	}
	return live.Status.Schedule
}
