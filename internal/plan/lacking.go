package plan

import (
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// checkCoverage reports the workload architectures for which an enabled template imports
// nothing. These are architectures that its image lacks, and architectures that the image
// has but the declared architectures omit.
//
// It skips a template that fits no workload node at all. It also skips a template if the
// gate is off, unless goldenarch expands it for each architecture. Other checks report
// these.
func (t *template) checkCoverage(declared arch.Set, becomes Switch) finding.List {
	workload := t.Cluster.Workload
	off := t.Class == hyperconverged.ClassDisabled || becomes == Disable
	off = off || !t.gate && t.Spec.Expand.Mode == v1alpha1.ExpandNone
	if off || len(declared.Intersect(workload)) == 0 || t.IgnoresClaim() && t.Registry() != nil {
		return nil
	}
	var found finding.List
	if lacks := workload.Minus(t.proven); len(lacks) > 0 && !t.byClaim() {
		found = append(found, t.finding(finding.ImageLacks, finding.Info,
			fmt.Sprintf("template %q: the image has no %s, which workload nodes have (the image has %s). %s no golden image for %s",
				t.Name(), lacks, t.proven, t.importer(), lacks),
			fmt.Sprintf("use an image that has %s too; until then schedule its VMs on nodes with %s", lacks, declared.Intersect(workload))))
	}
	omits := workload.Intersect(t.proven).Minus(declared)
	if t.byClaim() {
		omits = workload.Minus(declared)
	}
	if len(omits) > 0 {
		found = append(found, t.omitted(omits))
	}
	return found
}

// importer says which component would import a golden image for an architecture.
func (t *template) importer() string {
	if t.gate {
		return "HCO imports"
	}
	return "goldenarch emits no DataImportCron for it, so CDI imports"
}

// omitted reports architectures that the declared architectures omit.
func (t *template) omitted(omits arch.Set) finding.Finding {
	do := fmt.Sprintf("add %s to the annotation %s", omits, hyperconverged.ClaimAnnotation)
	if barred := omits.Intersect(t.proven).Minus(t.allow); len(barred) > 0 {
		do = fmt.Sprintf("add %s to spec.allow", barred)
	}
	has := "the image has"
	if t.byClaim() {
		has = "the image may have"
	}
	return t.finding(finding.DeclaredOmit, finding.Info,
		fmt.Sprintf("template %q: the declared architectures omit %s, which %s and workload nodes have. %s no golden image for %s",
			t.Name(), omits, has, t.importer(), omits),
		do)
}
