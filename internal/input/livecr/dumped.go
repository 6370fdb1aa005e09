package livecr

import (
	"encoding/json"
	"slices"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/object"
)

// AddDumped adds the node facts in the status of a dumped CR.
func AddDumped(o object.Object, facts []cluster.Facts) []cluster.Facts {
	if object.NodeAt(o.Node, "status") == nil {
		return facts
	}
	tree, err := o.Tree()
	if err != nil {
		return facts
	}
	if dumped, says, err := cluster.Read(tree, o.At); err == nil && says {
		return append(slices.Clone(facts), dumped)
	}
	return facts
}

// ScheduleOf returns the schedule that HCO picked for the predefined templates, or "" if
// the CR is not a dump with that schedule.
func ScheduleOf(data []byte) string {
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
