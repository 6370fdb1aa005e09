package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// foresee tells what the operators will make of the CRs as they are written: of
// each its edited item, or the item itself.
func foresee(list []subject, edited map[*yaml.RNode]*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) finding.List {
	var found finding.List
	for _, s := range list {
		written := s.object
		if item := edited[s.item]; item != nil {
			written.item, written.node = item, s.in(item)
		}
		data, err := written.json()
		if err != nil {
			return finding.List{s.unreadable(err)}
		}
		cr, _ := hyperconverged.Parse(data)
		if cr == nil {
			continue // what is wrong with it has been told
		}
		cr.Namespace = s.CR.Namespace
		f := forecast.Foretell(forecast.Input{
			CR: cr, Table: s.Table, Cluster: s.Cluster, Namespace: plan.GoldenNamespace(cr, spec),
			Release: spec.ParsedRelease(), Platform: spec.Platform, FatesOnly: true,
		})
		found = append(found, s.own(foreseen(cr, f))...)
	}
	return found
}

// foreseen turns what goes wrong in a forecast into findings. What HCO or SSP
// refuse as a whole has been told before.
func foreseen(cr *hyperconverged.CR, f forecast.Forecast) finding.List {
	paths := templatePaths{list: cr.Version.Paths().Templates.String(), of: map[string]string{}}
	for _, t := range slices.Backward(cr.Templates) {
		paths.of[t.Name()] = cr.TemplatePath(t.Index)
	}
	return foreseenAt(paths, f)
}

// templatePaths says where a CR keeps its templates: the list, and each by name.
type templatePaths struct {
	list string
	of   map[string]string
}

// at returns the path of a template, that of the list if the CR does not have it.
func (p templatePaths) at(template string) string { return cmp.Or(p.of[template], p.list) }

func foreseenAt(paths templatePaths, f forecast.Forecast) finding.List {
	at := paths.at
	var found finding.List
	if f.SSPRandom != "" {
		found = append(found, finding.Finding{
			ID: finding.CronTwice, Severity: finding.Warning, Field: paths.list, Text: f.SSPRandom,
			Do: "rename one of the templates",
		})
	}
	told := map[string]bool{}
	for _, c := range f.Crons {
		id := map[forecast.Fate]finding.ID{
			forecast.Refused: finding.CronRefused, forecast.Removed: finding.CronLost, forecast.ImportFails: finding.PredefinedLacks,
		}[c.Fate]
		if id == "" || told[c.Template] {
			continue
		}
		told[c.Template] = true // the other architectures have the same fault
		text := fmt.Sprintf("DataImportCron %q of template %q: %s", c.Name, c.Template, c.Why)
		if c.Fate == forecast.Refused {
			text += "; then SSP stops, and makes no other golden image for sure"
		}
		do := "correct the template"
		if c.Fate == forecast.ImportFails {
			do = "put the template into the CR with a registry source of its own (a pullMethod is enough), so that HCO goes by the architectures declared there"
		}
		found = append(found, finding.Finding{ID: id, Severity: finding.Warning, Field: at(c.Template), Text: text, Do: do})
	}
	for _, r := range f.References {
		if r.Filled || r.State == forecast.ByRefusedCron {
			continue
		}
		found = append(found, unfilled(paths, f, r))
	}
	for _, a := range f.Alerts {
		found = append(found, finding.Finding{
			ID: finding.AlertFires, Severity: finding.Info, Field: at(a.Template), Text: fmt.Sprintf("the alert %s will fire: %s", a.Name, a.Why),
		})
	}
	return found
}

// unfilled tells of a reference that points at nothing that a cron fills.
func unfilled(paths templatePaths, f forecast.Forecast, r forecast.Reference) finding.Finding {
	out := finding.Finding{
		ID: finding.ReferenceUnfilled, Severity: finding.Warning, Field: paths.list,
		Text: fmt.Sprintf("DataSource %q points at %q, and gets no image: %s", r.Name, r.Target, r.Why),
		Do:   "use the DataSources with the architecture in their names, or give the template a managedDataSource of another name",
	}
	for _, t := range f.Templates {
		if t.ManagedDataSource == r.Name {
			out.Field = paths.at(t.Name)
		}
	}
	if r.State == forecast.ByFailedImport {
		out.Do = "use the DataSources with the architecture in their names, or an image that has " + r.DefaultArchitecture
	}
	if r.State == forecast.CrossNamespace {
		out.ID = finding.OwnNamespace
		out.Do = "remove metadata.namespace of the template, or use the DataSources with the architecture in their names"
	}
	return out
}

// withoutKnownAlert leaves out the alert that a warning about the gate has named.
func withoutKnownAlert(foreseen, found finding.List) finding.List {
	known := map[finding.Object]bool{}
	for _, f := range found {
		known[f.Object] = known[f.Object] || f.ID == finding.GateKeptOff
	}
	return slices.DeleteFunc(foreseen, func(f finding.Finding) bool {
		return f.ID == finding.AlertFires && known[f.Object] && strings.Contains(f.Text, forecast.MultiArchDisabled)
	})
}
