package hyperconverged

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Refused reports what HCO's webhooks refuse in the templates of the CR, and what makes HCO
// or SSP fail later. These findings are errors in HCO's own words (hco
// pkg/webhooks/validator/validator.go). If something is only surprising, the finding is a
// warning.
func Refused(cr *CR, table Table) finding.List {
	var found finding.List
	seen := map[string]int{}
	for _, c := range Classify(cr, table) {
		if c.Index < 0 {
			continue
		}
		path := cr.TemplatePath(c.Index)
		found = append(found, cr.refusedTemplate(c, path)...)
		if first, twice := seen[c.Name()]; twice && c.Name() != "" {
			found = append(found, finding.Finding{
				ID: finding.NameDuplicate, Severity: finding.Error, Field: path + ".metadata.name", Current: c.Name(),
				Text: fmt.Sprintf("%s also has the name %q: HCO refuses the CR", cr.TemplatePath(first), c.Name()),
				Do:   "rename or remove one of them, even if it is disabled",
			})
		} else {
			seen[c.Name()] = c.Index
		}
	}
	return found
}

func (cr *CR) refusedTemplate(c Classified, path string) finding.List {
	if c.Name() == "" {
		// SSP's webhook refuses it: "missing name in DataImportCronTemplate". HCO's own
		// patch fails on an entry without metadata.
		return finding.List{{
			ID: finding.NameMissing, Severity: finding.Error, Field: path + ".metadata.name",
			Text: "the template has no name: SSP refuses all templates of the CR",
			Do:   "give the template a metadata.name",
		}}
	}
	var found finding.List
	if value, ok := c.Annotation(EnableAnnotation); ok && !isBool(value) {
		found = append(found, finding.Finding{
			ID: finding.EnableInvalid, Severity: finding.Error,
			Field: path + ".metadata.annotations[" + EnableAnnotation + "]", Current: value,
			Text: fmt.Sprintf(`the annotation %s must be "true" or "false", but it is %q: HCO refuses the CR`, EnableAnnotation, value),
			Do:   `write "true" or "false", or remove the annotation`,
		})
	}
	switch {
	case !c.Enabled():
	case c.Spec == nil:
		found = append(found, finding.Finding{
			ID: finding.SpecMissing, Severity: finding.Error, Field: path + ".spec",
			Text: "the template is enabled and has an empty spec: HCO refuses the CR",
			Do:   `add the spec, or disable the template with the annotation ` + EnableAnnotation + `: "false"`,
		})
	case c.Source() == nil:
		found = append(found, missingSource(c, path))
	case c.ManagedDataSource() == "":
		found = append(found, finding.Finding{
			ID: finding.DataSourceMissing, Severity: finding.Error, Field: path + ".spec.managedDataSource", Current: "",
			Text: fmt.Sprintf("template %q has an empty managedDataSource: CDI refuses its DataImportCron, and SSP keeps failing", c.Name()),
			Do:   "name the DataSource that the template fills",
		})
	}
	if c.Class == ClassDropped {
		found = append(found, finding.Finding{
			ID: finding.TemplateDropped, Severity: finding.Warning, Field: path,
			Text: fmt.Sprintf("HCO silently drops template %q: %s is false, and the template has the name of a predefined one", c.Name(),
				cr.Version.Paths().CommonImport),
			Do: "rename the template",
		})
	}
	if c.Class == ClassCustomized && len(c.Metadata.Labels) > 0 && !sameLabels(c) {
		found = append(found, finding.Finding{
			ID: finding.LabelsIgnored, Severity: finding.Warning, Field: path + ".metadata.labels",
			Text: fmt.Sprintf("HCO uses its own labels for the predefined template %q and ignores these", c.Name()),
			Do:   "remove the labels",
		})
	}
	return found
}

// missingSource reports an enabled template without spec.template.spec.source. If its name
// is predefined, HCO and its webhook dereference the source and panic (hco
// golden_images.go: customizeCommonDICT). With common import off, HCO drops the template
// before that. If the name is not predefined, HCO passes the template on and CDI refuses
// it.
func missingSource(c Classified, path string) finding.Finding {
	f := finding.Finding{
		ID: finding.SourceMissing, Severity: finding.Error, Field: path + ".spec.template.spec.source",
		Do: "add the source: HCO replaces the whole spec of a predefined template and merges nothing",
	}
	switch c.Class {
	case ClassCustomized:
		f.Text = fmt.Sprintf("HCO panics on template %q: it is enabled, has the name of a predefined template, and has no spec.template.spec.source", c.Name())
	case ClassDropped:
		f.Severity = finding.Warning
		f.Text = fmt.Sprintf("template %q has no spec.template.spec.source: HCO panics as soon as it does not drop the template", c.Name())
	default:
		f.Text = fmt.Sprintf("template %q has no spec.template.spec.source: CDI refuses its DataImportCron", c.Name())
		f.Do = "add the source"
	}
	return f
}

func sameLabels(c Classified) bool {
	for key, value := range c.Metadata.Labels {
		if c.Base.Metadata.Labels[key] != value {
			return false
		}
	}
	return true
}

func isBool(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }
