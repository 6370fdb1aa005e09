package prediction

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// retentionSince is the first release whose webhook adds two fields to the spec of a
// template.
const retentionSince = 18

// Drift reports the CRs that Argo CD would always show as OutOfSync if it uses
// server-side apply. HCO's mutating webhook completes short templates (hco
// hyperConvergedMutator.go: getDICTPatches), and Argo CD then compares the list of
// templates as a whole. A plugin does not know how Argo CD applies an Application, and
// client-side apply, the default, ignores the additions. So Drift does not return
// warnings. With defaults: Write it returns nothing.
func Drift(list []subject.Subject, spec *settings.Settings) finding.List {
	if spec.Defaults == v1alpha1.DefaultsWrite {
		return nil
	}
	var found finding.List
	for _, s := range list {
		var short []string
		for _, t := range s.CR.Templates {
			if isShort(t, spec.Release) {
				short = append(short, t.Name())
			}
		}
		if len(short) == 0 {
			continue
		}
		found = append(found, s.Locate(finding.List{{
			ID: finding.Drift, Severity: finding.Info, Field: s.CR.Version.Paths().Templates.String(),
			Text: fmt.Sprintf("HCO's webhook adds defaults to %s: with ServerSideApply=true, Argo CD always shows the CR as OutOfSync", templatesText(short)),
			Do:   "set spec.defaults: Write and spec.release",
		}})...)
	}
	return found
}

// isShort reports whether the webhook adds something to a template. If no release is
// declared, it assumes the newest one.
func isShort(t hyperconverged.Template, release v1alpha1.Release) bool {
	if _, bound := t.Annotation(hyperconverged.BindAnnotation); !bound {
		return true
	}
	return release.Since(retentionSince) && t.Spec != nil && (t.Spec.RetentionPolicy == nil || t.Spec.ImportsToKeep == nil)
}

// templatesText returns the name of one template, or the number of several.
func templatesText(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("template %q", names[0])
	}
	const shown = 3
	if len(names) <= shown {
		return fmt.Sprintf("the templates %s", strings.Join(names, ", "))
	}
	return fmt.Sprintf("%d templates (%s, …)", len(names), strings.Join(names[:shown], ", "))
}
