package plan

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/hyperconverged"
)

// decidePredefined decides the predefined templates that are not in the CR, or
// only there to be disabled by goldenarch. Such an entry is added where the
// template fits no workload node, and goes again when it is not needed.
func decidePredefined(s Subject) ([]Decision, finding.List) {
	var decisions []Decision
	var found finding.List
	var unknown []string
	for _, c := range hyperconverged.Classify(s.CR, s.Table) {
		stub := c.Index >= 0 && c.DisabledByUs() && c.Spec == nil
		if c.Class != hyperconverged.ClassPredefined && !stub {
			continue
		}
		fits, known := s.fits(c)
		decision := Decision{Index: c.Index, Name: c.Name(), Expanded: s.expandablePredefined(c, fits)}
		switch {
		case s.takesOver(decision.Expanded):
			decision.Switch, decision.Because = Disable, hyperconverged.TakenOver
			decisions = append(decisions, decision)
			if !stub {
				found = append(found, takenOver(c.Name(), s.CR.Version.Paths().Templates.String()))
			}
			continue
		case !known:
			unknown = append(unknown, c.Name())
			continue
		case fits.needsNoEntry(s, c):
			if stub {
				decision.Switch = Remove
			}
			decisions = append(decisions, decision)
			continue
		}
		f := unsupported(s.Spec.Unsupported, c.Name(), fits.why)
		f.Field = s.CR.Version.Paths().Templates.String()
		found = append(found, f)
		switch {
		case s.Spec.Unsupported == v1alpha1.UnsupportedDisable:
			decision.Switch, decision.Because = Disable, hyperconverged.NoSupportedArchitecture
		case stub:
			decision.Switch = Remove
		}
		decisions = append(decisions, decision)
	}
	if len(unknown) > 0 && (s.Spec.Platform == v1alpha1.OpenShift || s.expandsPredefined()) {
		found = append(found, unknownClaims(s, unknown))
	}
	return decisions, found
}

// fit says which workload architectures a predefined template serves.
type fit struct {
	usable arch.Set
	why    string
}

// fits holds what the built-in claim, or an override, says of a predefined
// template against the workload nodes. It reports false where neither is known.
func (s Subject) fits(c hyperconverged.Classified) (fit, bool) {
	builtIn, has, known := c.BuiltInClaim()
	claimed := arch.Claim(builtIn).HCO(s.Cluster.Workload)
	override := overrideFor(s.Spec.Overrides, c.Name())
	switch {
	case c.Base == nil:
		// Not in the table (any more): nothing that would need an entry.
		return fit{usable: s.Cluster.Workload}, true
	case override != nil:
		usable := override.Set().Intersect(s.Cluster.Workload)
		if known && has {
			usable = usable.Intersect(arch.NewSet(claimed...))
		}
		why := fmt.Sprintf("spec.overrides says that it has %s, workload nodes have %s", override.Set(), s.Cluster.Workload)
		if known && has {
			why = fmt.Sprintf("spec.overrides says that it has %s, its built-in claim is %s, workload nodes have %s", override.Set(), builtIn, s.Cluster.Workload)
		}
		return fit{usable, why}, true
	case !known:
		return fit{}, false
	case !has:
		// HCO hands a template without a claim on as it is.
		return fit{usable: s.Cluster.Workload}, true
	default:
		return fit{arch.NewSet(claimed...), fmt.Sprintf("its built-in claim is %s, workload nodes have %s", builtIn, s.Cluster.Workload)}, true
	}
}

// needsNoEntry reports whether HCO may be left alone with a predefined
// template: a node can use it, or HCO makes no image of it anyway.
func (f fit) needsNoEntry(s Subject, c hyperconverged.Classified) bool {
	return len(f.usable) > 0 || c.Base == nil || !s.CR.CommonImport || s.Spec.Platform == v1alpha1.Kubernetes
}

// expandsPredefined reports whether templates that are not in the CR are
// expanded.
func (s Subject) expandsPredefined() bool {
	return s.Spec.Expand.Mode != v1alpha1.ExpandNone && s.Spec.Expand.Predefined
}

// expandablePredefined returns for which architectures a template that is not in
// the CR is expanded: by its built-in claim, or an override.
func (s Subject) expandablePredefined(c hyperconverged.Classified, fits fit) arch.Set {
	if !s.expandsPredefined() || !s.CR.CommonImport || c.Base == nil {
		return nil
	}
	return s.expandable(fits.usable)
}

func unknownClaims(s Subject, names []string) finding.Finding {
	if s.expandsPredefined() {
		return finding.Finding{
			ID: finding.NotExpanded, Severity: finding.Error, Field: s.CR.Version.Paths().Templates.String(),
			Text: fmt.Sprintf("the built-in claims of the predefined templates of OpenShift Virtualization are not known, so %s cannot be expanded", strings.Join(names, ", ")),
			Do:   "give spec.predefinedTemplates or spec.overrides, or set spec.expand.predefined: false",
		}
	}
	return finding.Finding{
		ID: finding.PredefinedUnknown, Severity: finding.Info, Field: s.CR.Version.Paths().Templates.String(),
		Text: fmt.Sprintf("the built-in claims of the predefined templates of OpenShift Virtualization are not known, so nothing was decided about %s", strings.Join(names, ", ")),
		Do:   "to have them decided, give spec.predefinedTemplates, from originalSupportedArchitectures in status.dataImportCronTemplates of the cluster's HyperConverged",
	}
}
