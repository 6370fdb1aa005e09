package check

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/fieldpath"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// refusesField says what happens to a CR with an unknown field (apiextensions-apiserver
// pruning, structured-merge-diff: "field not declared in schema").
const refusesField = "a server-side or strict apply (Flux, kubectl) refuses the CR, any other apply drops the field"

// judgeFields reports the fields that the CRD of the release does not have. Its
// findings replace those of the run about fields of a template, which are less precise.
func (c *Result) judgeFields(release v1alpha1.Release, strict bool) error {
	for i := range c.CRs {
		cr := &c.CRs[i]
		apiVersion, _ := cr.tree["apiVersion"].(string)
		version, err := hyperconverged.ParseVersion(apiVersion)
		if err != nil || !version.Serves(release) {
			continue // the run has reported it
		}
		unknown, err := admission.UnknownFields(cr.tree, version, release)
		if err != nil {
			return err
		}
		for _, u := range unknown {
			f := fieldFinding(u, version, release)
			if f.Severity == finding.Warning && strict {
				f.Severity = finding.Error
			}
			f.Object, f.Line = cr.Object, yamlnode.Line(cr.node, f.Field)
			f.Field = strings.Trim(cr.path+"."+f.Field, ".")
			c.replace(f)
		}
	}
	return nil
}

// replace adds a finding about an unknown field, and removes those of the run about the
// same field. An error of the run stays, because it names the fix.
func (c *Result) replace(f finding.Finding) {
	same := func(reported finding.Finding) bool {
		return reported.ID == finding.FieldMisplaced && (reported.Field == f.Field || strings.HasPrefix(reported.Field, f.Field+"."))
	}
	at := c.find(f.Object, same)
	switch {
	case at < 0:
		c.Findings = append(c.Findings, f)
	case c.Findings[at].Severity != finding.Error:
		c.Findings[at] = f
	}
}

// fieldFinding returns the finding about an unknown field. It is an error if the problem
// is certain. That is so if the CRD of the declared release is known. Without a declared
// release, it is so for a typing error and for a field of the other version.
func fieldFinding(u admission.UnknownField, version hyperconverged.Version, release v1alpha1.Release) finding.Finding {
	f := finding.Finding{ID: finding.FieldMisplaced, Severity: finding.Warning, Field: u.Path}
	slip := u.Origin != admission.OtherRelease && u.Origin != admission.Nowhere
	if admission.Knows(release) || slip && release.Verified() {
		f.Severity = finding.Error
	}
	apiVersion := hyperconverged.Group + "/" + string(version)
	what := fmt.Sprintf("%s has no field %q here", apiVersion, lastKey(u.Path))
	switch u.Origin {
	case admission.Misspelled:
		f.Do = fmt.Sprintf("rename it to %s", lastKey(u.Meant))
	case admission.Misplaced:
		f.Do = fmt.Sprintf("move it to %s", u.Meant)
	case admission.OtherVersion:
		other := hyperconverged.Group + "/" + string(version.Other())
		what = fmt.Sprintf("%s has no field %q, which is one of %s", apiVersion, lastKey(u.Path), other)
		f.Do = fmt.Sprintf("use apiVersion %s, or remove the field", other)
		if u.Meant != "" {
			f.Do = fmt.Sprintf("move it to %s, or use apiVersion %s", u.Meant, other)
		}
	case admission.OtherRelease:
		f.ID = finding.FieldOfOtherRelease
		what = fmt.Sprintf("%s of HCO %s has no field %q, which HCO has %s", apiVersion, admission.Nearest(release), lastKey(u.Path), u.Releases)
		f.Do = "remove it"
		if strings.HasPrefix(u.Releases, "from ") {
			f.Do = "remove it, or correct the declared release"
		}
	case admission.Nowhere:
		what = fmt.Sprintf("%s has no field %q in any release that goldenarch knows", apiVersion, lastKey(u.Path))
		f.Do = "remove it"
	}
	f.Text = what + ": " + refusesField
	return f
}

// lastKey returns the last key of a path.
func lastKey(path string) string {
	all := fieldpath.Steps(path)
	return all[len(all)-1]
}
