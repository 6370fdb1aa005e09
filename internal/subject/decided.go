package subject

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Decided is what a run has decided about each CR, in the order of the input.
type Decided struct {
	Subjects []Subject
	Plans    []plan.Plan
	// Release is the release of the configuration, or else that of the live CR.
	Release v1alpha1.Release
	// LiveUnreadable says that the live CR cannot be read, so that its facts are
	// missing everywhere.
	LiveUnreadable bool
}

// WithoutLiveGaps removes findings about facts that are missing only because the live
// CR cannot be read. The error about the live CR covers them.
func (d Decided) WithoutLiveGaps(list finding.List) finding.List {
	unseen := []finding.ID{finding.NoNodeFacts, finding.ReleaseNeeded, finding.PredefinedUnknown}
	return slices.DeleteFunc(list, func(f finding.Finding) bool { return d.LiveUnreadable && slices.Contains(unseen, f.ID) })
}
