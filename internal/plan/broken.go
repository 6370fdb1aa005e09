package plan

import (
	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
)

// checkBroken reports a template whose images CDI can never import, although it admits the
// DataImportCron. Emitting such a cron is an error. A template in the CR belongs to the
// user.
func (t *template) checkBroken() finding.List {
	expands := t.Spec.Expand.Mode != v1alpha1.ExpandNone
	if t.Template.Spec == nil || !expands && t.Spec.Platform == v1alpha1.Kubernetes {
		return nil
	}
	var found finding.List
	for _, p := range cdi.Broken(*t.Template.Spec) {
		f := t.finding(finding.CronBroken, finding.Warning, p.Text, p.Do)
		f.Field += ".spec." + p.Field
		if expands {
			f.Severity = finding.Error
		}
		found = append(found, f)
	}
	return found
}
