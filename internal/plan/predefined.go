package plan

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// decidePredefined decides the predefined templates that are not in the CR, or
// only there to be disabled by goldenarch. Such an entry is added where the
// template fits no workload node, and goes again when it is not needed.
func decidePredefined(s Subject) ([]Decision, finding.List) {
	var decisions []Decision
	var found finding.List
	var unsettled []string
	for _, c := range hyperconverged.Classify(s.CR, s.Table) {
		stub := c.Index >= 0 && c.DisabledByUs() && c.Spec == nil
		if c.Class != hyperconverged.ClassPredefined && !stub {
			continue
		}
		fits, known := s.fits(c)
		if s.expandsPredefined() && c.Class == hyperconverged.ClassPredefined && c.Base.From == hyperconverged.Documentation {
			unsettled = append(unsettled, c.Name())
			continue
		}
		decision := Decision{Index: c.Index, Name: c.Name(), Expanded: s.expandablePredefined(c, fits)}
		switch {
		case s.replacesTemplate(decision.Expanded):
			decision.Switch, decision.Because = Disable, hyperconverged.DisabledByExpansion
			decisions = append(decisions, decision)
			if !stub {
				found = append(found, templateReplaced(c.Name(), s.CR.Version.Paths().Templates.String()))
			}
			continue
		case !known:
			continue // see tellDocumented
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
	if len(unsettled) > 0 {
		found = append(found, notExpandable(s.CR, unsettled))
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
	stated := s.stated(c)
	switch {
	case c.Base == nil:
		// Not in the table (any more): nothing that would need an entry.
		return fit{usable: s.Cluster.Workload}, true
	case stated != nil:
		usable := stated.Intersect(s.Cluster.Workload)
		why := fmt.Sprintf("spec.overrides states %s; workload nodes have %s", stated, s.Cluster.Workload)
		if has && known && c.Base.From != hyperconverged.Documentation {
			usable = usable.Intersect(arch.NewSet(claimed...))
			why = fmt.Sprintf("spec.overrides states %s; HCO declares %s; workload nodes have %s", stated, builtIn, s.Cluster.Workload)
		}
		return fit{usable, why}, true
	case !known:
		return fit{}, false
	case !has:
		// HCO hands a template without a claim on as it is.
		return fit{usable: s.Cluster.Workload}, true
	default:
		return fit{arch.NewSet(claimed...), fmt.Sprintf("HCO declares %s; workload nodes have %s", builtIn, s.Cluster.Workload)}, true
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

// stated returns what a person says that the image of a predefined template has,
// nil if nobody does.
func (s Subject) stated(c hyperconverged.Classified) arch.Set {
	if c.Base != nil && c.Base.Image != nil {
		return c.Base.Image
	}
	if override := overrideFor(s.Spec.Overrides, c.Name()); override != nil {
		return arch.Named(override.Architectures...)
	}
	return nil
}

// Documented reports the templates of which only documentation says what HCO has
// built in; nil if there are none. gate is the multi-arch gate that the CR will
// have, live the live CR; nil if it is not known.
func Documented(cr *hyperconverged.CR, table hyperconverged.Table, gate bool, live *hyperconverged.Live) finding.List {
	names := hyperconverged.Documented(cr, table, gate)
	if len(names) == 0 {
		return nil
	}
	do := passLiveCR
	if live != nil {
		do = "state them in spec.predefinedTemplates"
	}
	return finding.List{{
		ID: finding.PredefinedUnknown, Severity: finding.Info, Field: cr.Version.Paths().Templates.String(),
		Text: fmt.Sprintf("goldenarch does not know which architectures the predefined templates %s have, so it left them unchanged%s", firstNames(names), notInLiveCR(live)),
		Do:   do,
	}}
}

// notInLiveCR says why the live CR does not help.
func notInLiveCR(live *hyperconverged.Live) string {
	switch {
	case live == nil:
		return ""
	case len(live.Templates) == 0:
		return ". The status of the live CR does not list its templates yet"
	default:
		return ". The live CR does not show them, because it disables or customizes them"
	}
}

// firstNames returns the first names of a list, and how many more there are.
func firstNames(names []string) string {
	const shown = 2
	if len(names) <= shown+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

// passLiveCR is the fix where only the cluster knows: the flag of the command line,
// and the field for those who run the function.
const passLiveCR = "pass the live CR (--live or spec.inputs) to include them"

func notExpandable(cr *hyperconverged.CR, names []string) finding.Finding {
	return finding.Finding{
		ID: finding.NotExpanded, Severity: finding.Error, Field: cr.Version.Paths().Templates.String(),
		Text: fmt.Sprintf("goldenarch does not know which architectures the predefined templates %s have, so it cannot expand them", firstNames(names)),
		Do:   passLiveCR + ", or set spec.expand.predefined: false",
	}
}
