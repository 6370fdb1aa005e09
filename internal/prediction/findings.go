package prediction

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// findingsOf turns the predicted problems into findings. It skips a CR that HCO or SSP
// refuse as a whole, because that is already reported.
func findingsOf(cr *hyperconverged.CR, f forecast.Forecast) finding.List {
	return Findings(pathsOf(cr), f)
}

// pathsOf returns the paths of the templates of a CR.
func pathsOf(cr *hyperconverged.CR) TemplatePaths {
	paths := TemplatePaths{List: cr.Version.Paths().Templates.String(), Templates: map[string]string{}}
	for _, t := range slices.Backward(cr.Templates) {
		paths.Templates[t.Name()] = cr.TemplatePath(t.Index)
	}
	return paths
}

// TemplatePaths has the paths of a CR's templates: of the list, and of each by name.
type TemplatePaths struct {
	List      string
	Templates map[string]string
}

// at returns the path of a template, or that of the list if the CR does not have it.
func (p TemplatePaths) at(template string) string { return cmp.Or(p.Templates[template], p.List) }

// Findings turns the problems of a prediction into findings, with the paths of the
// templates.
func Findings(paths TemplatePaths, f forecast.Forecast) finding.List {
	at := paths.at
	var found finding.List
	if f.SSPRandom != "" {
		found = append(found, finding.Finding{
			ID: finding.CronDuplicate, Severity: finding.Warning, Field: paths.List, Text: f.SSPRandom,
			Do: "rename one of the templates",
		})
	}
	reported := map[string]bool{}
	for _, c := range f.Crons {
		id := map[forecast.Outcome]finding.ID{
			forecast.Refused: finding.CronRefused, forecast.Removed: finding.CronLost, forecast.ImportFails: finding.PredefinedLacks,
		}[c.Outcome]
		if id == "" || reported[c.Template] {
			continue
		}
		reported[c.Template] = true // the other architectures have the same problem
		text := fmt.Sprintf("DataImportCron %q of template %q: %s", c.Name, c.Template, c.Why)
		if c.Outcome == forecast.Refused {
			text += ". SSP then stops, and may create no other golden image"
		}
		do := "correct the template"
		if c.Outcome == forecast.ImportFails {
			do = "add the template to the CR with its own registry source (for example another pullMethod), so that HCO uses the architectures declared there"
		}
		found = append(found, finding.Finding{ID: id, Severity: finding.Warning, Field: at(c.Template), Text: text, Do: do})
	}
	for _, r := range f.References {
		if r.Filled || r.State == forecast.ByRefusedCron || r.State == forecast.UnknownTarget {
			continue
		}
		found = append(found, unfilledReference(paths, f, r))
	}
	found = append(found, unknownDefault(paths, f)...)
	for _, a := range f.Alerts {
		found = append(found, finding.Finding{
			ID: finding.AlertFires, Severity: finding.Info, Field: at(a.Template), Text: fmt.Sprintf("the alert %s will fire: %s", a.Name, a.Why),
		})
	}
	return found
}

// unknownDefault reports default DataSources whose architecture depends on the control
// plane, which nothing states.
func unknownDefault(paths TemplatePaths, f forecast.Forecast) finding.List {
	var names []string
	for _, r := range f.References {
		if r.State == forecast.UnknownTarget {
			names = append(names, fmt.Sprintf("%q", r.Name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return finding.List{{
		ID: finding.DefaultUnknown, Severity: finding.Warning, Field: paths.List,
		Text: fmt.Sprintf("nothing states the architectures of the control plane, so the default architecture of DataSource %s is unknown: "+
			"SSP takes the first architecture of the control plane for which there is an image", finding.FirstOf(names)),
		Do: cluster.StateControlPlane,
	}}
}

// unfilledReference reports a default DataSource that points at something that no cron
// fills.
func unfilledReference(paths TemplatePaths, f forecast.Forecast, r forecast.Reference) finding.Finding {
	out := finding.Finding{
		ID: finding.ReferenceUnfilled, Severity: finding.Warning, Field: paths.List,
		Text: fmt.Sprintf("DataSource %q points at %q and gets no image: %s", r.Name, r.Target, r.Why),
		Do:   "use the DataSources with the architecture in their names",
	}
	for _, t := range f.Templates {
		if t.ManagedDataSource == r.Name {
			out.Field = paths.at(t.Name)
		}
	}
	if fallback := f.DefaultOfMachines; fallback != "" && string(fallback) != r.DefaultArchitecture {
		out.Text += fmt.Sprintf(". A machine that uses the plain name cannot start: it waits for the disk, and KubeVirt's default architecture is %s", fallback)
		out.Do = fmt.Sprintf("use the DataSources with the architecture in their names, such as %q",
			expansion.WithArchitecture(r.Name, fallback))
	}
	if r.State == forecast.CrossNamespace {
		out.ID = finding.TemplateNamespace
		out.Do = "remove metadata.namespace of the template"
	}
	return out
}
