package plan

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/transformers"
)

// decidePredefined decides the predefined templates that the CR does not have, or has only
// because goldenarch disabled them. It adds such an entry if the template fits no workload
// node, and removes it when it is no longer needed.
func decidePredefined(s Known) ([]decision, finding.List) {
	var decisions []decision
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
		d := decision{Template: transformers.Template{Index: c.Index, Name: c.Name()}, expanded: s.expandablePredefined(c, fits)}
		switch {
		case s.replacesTemplate(d.expanded):
			d.Switch, d.Because = transformers.Disable, hyperconverged.DisabledByExpansion
			decisions = append(decisions, d)
			if !stub {
				found = append(found, templateReplaced(c.Name(), s.CR.Version.Paths().Templates.String()))
			}
			continue
		case !known:
			continue // Documented reports them
		case fits.needsNoEntry(s):
			if stub {
				d.Switch = transformers.Remove
			}
			decisions = append(decisions, d)
			continue
		}
		f := unsupported(s.Spec.Unsupported, c.Name(), fits.why)
		f.Field = s.CR.Version.Paths().Templates.String()
		found = append(found, f)
		switch {
		case s.Spec.Unsupported == v1alpha1.UnsupportedDisable:
			d.Switch, d.Because = transformers.Disable, hyperconverged.NoSupportedArchitecture
		case stub:
			d.Switch = transformers.Remove
		}
		decisions = append(decisions, d)
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

// fits compares the built-in declared architectures of a predefined template, or an
// override, with the workload nodes. It returns false if neither is known.
func (s Known) fits(c hyperconverged.Classified) (fit, bool) {
	builtIn, has, known := c.BuiltInClaim()
	claimed := arch.Claim(builtIn).HCO(s.Cluster.Workload)
	stated := s.stated(c)
	switch {
	case c.Base == nil:
		// Not in the table, or no longer: it needs no entry.
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
		// HCO passes on a template without declared architectures as it is.
		return fit{usable: s.Cluster.Workload}, true
	default:
		return fit{arch.NewSet(claimed...), fmt.Sprintf("HCO declares %s; workload nodes have %s", builtIn, s.Cluster.Workload)}, true
	}
}

// needsNoEntry reports whether HCO handles a predefined template correctly without an
// entry: a node can use it, or HCO creates no image of it anyway.
func (f fit) needsNoEntry(s Known) bool {
	return len(f.usable) > 0 || !s.CR.CommonImport || s.Spec.Platform == v1alpha1.Kubernetes
}

// expandsPredefined reports whether goldenarch expands templates that are not in the CR.
func (s Known) expandsPredefined() bool {
	return s.Spec.Expand.Mode != v1alpha1.ExpandNone && s.Spec.Expand.Predefined
}

// expandablePredefined returns the architectures to expand a template for that is not in
// the CR. They come from its built-in declared architectures, or from an override.
func (s Known) expandablePredefined(c hyperconverged.Classified, fits fit) arch.Set {
	if !s.expandsPredefined() || !s.CR.CommonImport || c.Base == nil {
		return nil
	}
	return s.expandable(fits.usable)
}

// stated returns the architectures that a person states for the image of a predefined
// template; nil if nobody states any.
func (s Known) stated(c hyperconverged.Classified) arch.Set {
	if c.Base != nil && c.Base.Image != nil {
		return c.Base.Image
	}
	if override := OverrideFor(s.Spec.Overrides, c.Name()); override != nil {
		return arch.Named(override.Architectures...)
	}
	return nil
}

// Documented reports the templates whose built-in value in HCO is known only from
// documentation; nil if no template is like that. gate is the state of the multi-arch gate
// that the CR will have. live is the live CR; nil if it is unknown.
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
		Text: fmt.Sprintf("goldenarch knows the architectures of the predefined templates %s only from documentation, so it left them unchanged%s",
			firstNames(names), notInLiveCR(live)),
		Do: do,
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

// passLiveCR is the fix if only the cluster knows the answer. It names the flag of the
// command line, and the field for users of the function.
const passLiveCR = "pass the live CR (--live or spec.inputs) to include them"

func notExpandable(cr *hyperconverged.CR, names []string) finding.Finding {
	return finding.Finding{
		ID: finding.NotExpanded, Severity: finding.Error, Field: cr.Version.Paths().Templates.String(),
		Text: fmt.Sprintf("goldenarch does not know which architectures the predefined templates %s have, so it cannot expand them", firstNames(names)),
		Do:   passLiveCR + ", or set spec.expand.predefined: false",
	}
}
