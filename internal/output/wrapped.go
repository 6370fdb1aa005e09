package output

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
	"github.com/goldenarch/goldenarch/internal/wrapper"
)

// Unreachable reports wrapped CRs whose edits would not reach the cluster in the way
// that their wrappers are written.
func Unreachable(list []subject.Subject, plans []plan.Plan, spec *settings.Settings) finding.List {
	var found finding.List
	for i, s := range list {
		if !s.IsWrapped() {
			continue
		}
		if spec.Expand.Mode != v1alpha1.ExpandNone {
			found = append(found, s.Locate(finding.List{emitsBeside(s, spec)})...)
		}
		if plans[i].Empty() {
			continue
		}
		switch s.Reach {
		case wrapper.Merged:
			// The gate is a key of a map, or a list element with a name, so it is
			// merged.
			if !plans[i].EditsOnlyGate() {
				found = append(found, s.Locate(finding.List{mergedByACM(s)})...)
			}
		case wrapper.CreatedOnce:
			found = append(found, s.Locate(finding.List{s.CreatedOnce("CR")})...)
		case wrapper.Applied, wrapper.Compared:
		}
	}
	return found
}

func mergedByACM(s subject.Subject) finding.Finding {
	return finding.Finding{
		ID: finding.MergedByACM, Severity: finding.Error,
		Text: fmt.Sprintf("%s has complianceType %q for this CR: the policy controller adds an edited template beside the old one, "+
			"and HCO refuses a CR with two templates of one name. So goldenarch does not edit this CR",
			s.Wrapper, "musthave"),
		Do: "set complianceType: mustonlyhave in the object template of the CR",
	}
}

func emitsBeside(s subject.Subject, spec *settings.Settings) finding.Finding {
	return finding.Finding{
		ID: finding.EmitWrapped, Severity: finding.Error,
		Text: fmt.Sprintf("spec.expand.mode is %q, and %s carries the CR to another cluster: "+
			"goldenarch would emit the DataImportCrons beside the wrapper, and they would go to the wrong cluster",
			spec.Expand.Mode, s.Wrapper),
		Do: "set spec.expand.mode: None, or render the CR before it is wrapped",
	}
}
