package check

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// refusesField says what happens to a CR with an unknown field (apiextensions-apiserver
// pruning, structured-merge-diff: "field not declared in schema").
const refusesField = "a server-side or strict apply (Flux, kubectl) refuses the CR, any other apply drops the field"

// judgeFields reports the fields that the CRD of the release does not have. Its
// findings replace those of the run about fields of a template, which are less precise.
func (c *Result) judgeFields(run Run) error {
	release := run.Decided.Release
	for _, cr := range c.CRs {
		by := sync.OnceValue(func() string { return cr.appliedOnServer(run.OnServer, c.files()) })
		found, err := unknownFields(cr.data, cr.Object, release)
		if err != nil {
			return err
		}
		for _, f := range found {
			if f.Severity == finding.Warning && admission.Knows(release) {
				if by := by(); by != "" {
					f.Severity = finding.Error
					f.Text = strings.Replace(f.Text, refusesField, by+" applies it on the server side, and the API server refuses the CR", 1)
				}
			}
			if f.Severity == finding.Warning && run.Predictor.Source.Strict {
				f.Severity = finding.Error
			}
			c.replace(at(f, cr.Object, cr.node, cr.path))
		}
	}
	return nil
}

// WithFieldErrors adds the errors about fields of CRs that a run is about to write to its
// findings: a misspelled or misplaced field stays without an effect, and what the run decides
// then contradicts what the author meant. As in a check, they take the place of warnings of the
// run about the same field.
func WithFieldErrors(crs []input.Resource, release v1alpha1.Release, found finding.List) (finding.List, error) {
	c := Result{Summary: Summary{Findings: found}}
	for _, cr := range crs {
		unknown, err := unknownFields(cr.Data, cr.At, release)
		if err != nil {
			return nil, err
		}
		for _, f := range unknown {
			if f.Severity == finding.Error {
				c.replace(at(f, cr.At, cr.Node.YNode(), cr.Path))
			}
		}
	}
	return c.Findings, nil
}

// unknownFields returns a finding for each field of a CR that the CRD of the release does not have.
func unknownFields(data []byte, object finding.Object, release v1alpha1.Release) (finding.List, error) {
	var tree map[string]any
	version, wrong := hyperconverged.ParseVersion(object.APIVersion)
	if isRead := wrong == nil && json.Unmarshal(data, &tree) == nil; !isRead || !version.Serves(release) {
		return nil, nil // the run has reported it
	}
	unknown, err := admission.UnknownFields(tree, version, release)
	if err != nil {
		return nil, fmt.Errorf("look for unknown fields of the CR: %w", err)
	}
	var found finding.List
	for _, u := range unknown {
		found = append(found, fieldFinding(u, version, release))
	}
	return found, nil
}

// at returns a finding about a field of a CR with the CR, and with the line and the path of the
// field in the item.
func at(f finding.Finding, object finding.Object, node *yaml.Node, path string) finding.Finding {
	f.Object, f.Line = object, yamlnode.Line(node, f.Field)
	f.Field = fieldpath.Below(path, f.Field)
	return f
}

// replace adds a finding about an unknown field, and removes those of the run about the
// same field. An error of the run stays, because it names the fix.
func (c *Result) replace(f finding.Finding) {
	same := func(reported finding.Finding) bool {
		return reported.ID == finding.FieldMisplaced && fieldpath.IsAt(reported.Field, f.Field)
	}
	i := c.find(f.Object, same)
	switch {
	case i < 0:
		c.Findings = append(c.Findings, f)
	case c.Findings[i].Severity != finding.Error:
		c.Findings[i] = f
	}
}

// fieldFinding returns the finding about an unknown field. A misspelled or misplaced one, and one
// of the other version, is an error if the CRD of the declared release is known, or none is declared: HCO
// does not get what the CR says. A field of another release, or of none, says nothing that
// HCO could do. Whether the API server refuses it or drops it is for what applies the CR.
func fieldFinding(u admission.UnknownField, version hyperconverged.Version, release v1alpha1.Release) finding.Finding {
	f := finding.Finding{ID: finding.FieldMisplaced, Severity: finding.Warning, Field: u.Path}
	isMistake := u.Origin != admission.OtherRelease && u.Origin != admission.Nowhere
	if isMistake && (admission.Knows(release) || release.Verified()) {
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
		what = fmt.Sprintf("%s of HCO %s has no field %q, which HCO has %s", apiVersion, admission.Named(release), lastKey(u.Path), u.Releases)
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
