package hyperconverged

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Lint reports fields of the CR that do not have the effect that the author probably
// expects.
func Lint(cr *CR, table Table) finding.List {
	found := cr.lintFeatureGates()
	if why := cr.IgnoredBecause(); why != "" {
		found = append(found, finding.Finding{
			ID: finding.NameUnusual, Severity: finding.Error, Field: "metadata.name", Current: cr.Name, Proposed: Name,
			Text: why, Do: "rename it to " + Name + ". A namePrefix or nameSuffix of a kustomization must not change it",
		})
	}
	if _, ok := cr.Annotations[SSPPatchAnnotation]; ok {
		found = append(found, finding.Finding{
			ID: finding.JSONPatch, Severity: finding.Warning, Field: "metadata.annotations[" + SSPPatchAnnotation + "]",
			Text: "HCO applies this JSON patch to the SSP CR last, so it can change what goldenarch decides about the templates",
			Do:   "set the fields of the HyperConverged CR instead, where they exist",
		})
	}
	if off := cr.DeadCommonImport; off != nil && !*off {
		found = append(found, finding.Finding{
			ID: finding.DeadFeatureGate, Severity: finding.Warning,
			Field: cr.Version.Paths().FeatureGates.Child("enableCommonBootImageImport").String(), Current: false,
			Text: "HCO ignores the feature gate enableCommonBootImageImport, so it still imports the predefined templates",
			Do:   fmt.Sprintf("set %s: false", cr.Version.Paths().CommonImport),
		})
	}
	found = append(found, cr.nearAnnotations()...)
	found = append(found, cr.similarAnnotations()...)
	return append(found, sharedDataSources(cr, table)...)
}

func (cr *CR) lintFeatureGates() finding.List {
	var found finding.List
	var seen []string
	for i, gate := range cr.FeatureGates {
		name := strings.ToLower(gate.Name)
		if slices.Contains(seen, name) {
			found = append(found, finding.Finding{
				ID: finding.FeatureGateDuplicate, Severity: finding.Error, Field: cr.Version.Paths().FeatureGates.At(i), Current: gate.Name,
				Text: fmt.Sprintf("the API server would refuse the CR: feature gate %q is a duplicate (HCO ignores the case of the name)", gate.Name),
				Do:   "remove one of them",
			})
		}
		seen = append(seen, name)
	}
	return found
}

// sharedDataSources reports templates that fill the same DataSource. For each architecture,
// SSP silently keeps one of them, the last by name (ssp-operator data-sources/reconcile.go:
// addToCronMap).
func sharedDataSources(cr *CR, table Table) finding.List {
	var found finding.List
	first := map[string]Classified{}
	active := slices.DeleteFunc(Classify(cr, table), func(c Classified) bool {
		return c.Class == ClassDisabled || c.Class == ClassDropped || c.ManagedDataSource() == ""
	})
	slices.SortStableFunc(active, func(a, b Classified) int { return compareNames(a.Template, b.Template) })
	for _, c := range active {
		key := c.Metadata.namespace() + "/" + c.ManagedDataSource()
		other, shared := first[key]
		if !shared {
			first[key] = c
			continue
		}
		if other.Name() == c.Name() {
			continue // another finding reports the duplicate name
		}
		in := c
		if in.Index < 0 {
			in = other
		}
		found = append(found, finding.Finding{
			ID: finding.SharedDataSource, Severity: finding.Warning, Field: cr.TemplatePath(in.Index) + ".spec.managedDataSource", Current: c.ManagedDataSource(),
			Text: fmt.Sprintf("templates %q and %q both fill DataSource %q: SSP keeps %q for each architecture that both have",
				other.Name(), c.Name(), c.ManagedDataSource(), c.Name()),
			Do: "give one of them another managedDataSource",
		})
	}
	return found
}

func (m *TemplateMetadata) namespace() string {
	if m == nil {
		return ""
	}
	return m.Namespace
}
