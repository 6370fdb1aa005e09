package check

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// sameFact are the findings that report the same as a warning of the webhook about a
// field.
var sameFact = []finding.ID{finding.DeadFeatureGate, finding.FieldMisplaced, finding.FieldOfOtherRelease}

// withoutRepeats returns the findings of a forecast without two kinds of warnings of
// HCO's webhook: those that another finding repeats, and those about a gate that
// goldenarch itself writes.
func (c *Result) withoutRepeats(list finding.List) finding.List {
	return slices.DeleteFunc(list, func(f finding.Finding) bool {
		if f.ID != finding.WebhookWarns {
			return false
		}
		if strings.HasSuffix(f.Field, hyperconverged.GateName) && !c.statesGate(f.Object) {
			return true
		}
		return c.find(f.Object, func(reported finding.Finding) bool {
			return reported.Field == f.Field && slices.Contains(sameFact, reported.ID)
		}) >= 0
	})
}

// statesGate reports whether a CR of the input states the multi-arch gate.
func (c *Result) statesGate(at finding.Object) bool {
	cr := c.cr(at)
	return cr != nil && cr.statesGate
}
