package livecr

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// CR is the cluster's own HyperConverged, with its place in the input.
type CR struct {
	object.Object
	*hyperconverged.Live
	// nodes has the node facts of its status.
	nodes cluster.Facts
	// release is the release of the HCO that wrote the status.
	release v1alpha1.Release
}

// Model returns what the live CR shows, or nil if l is nil.
func (l *CR) Model() *hyperconverged.Live {
	if l == nil {
		return nil
	}
	return l.Live
}

// PickedSchedule returns the schedule that HCO picked, or "" if it is unknown.
func (l *CR) PickedSchedule() string {
	if l == nil {
		return ""
	}
	return l.Schedule
}

// IsGateOn reports whether the live CR has the multi-arch gate on.
func (l *CR) IsGateOn() bool {
	if l == nil {
		return false
	}
	on := l.CR.GateAt(l.KnownRelease())
	return on != nil && *on
}
