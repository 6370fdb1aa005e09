package forecast

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// completeCrons adds to each cron what is known about its built-in template: where that
// knowledge comes from, and whether spec.overrides says that the image lacks the
// architecture.
func (f *Forecast) completeCrons(in Input) {
	images := in.builtInImages()
	knownFrom := make(map[string]hyperconverged.Origin, len(f.Templates))
	for _, t := range f.Templates {
		knownFrom[t.Name] = t.KnownFrom
	}
	for i := range f.Crons {
		c := &f.Crons[i]
		c.KnownFrom = knownFrom[c.Template]
		image, stated := images[c.Template]
		if stated && c.Outcome == Created && c.Architecture != "" && !image.Contains(c.Architecture) {
			c.Outcome = ImportFails
			c.Why = fmt.Sprintf("HCO declares %s, but spec.overrides states that the image has %s", c.Architecture, image)
			f.emptyReferences(*c)
		}
	}
}

// emptyReferences records a failed import in each reference that points at the DataSource
// of the cron.
func (f *Forecast) emptyReferences(failing CronOutcome) {
	for i := range f.References {
		r := &f.References[i]
		if r.State == ByCron && r.Namespace == failing.Namespace && r.Target == failing.ManagedDataSource {
			r.State, r.Filled = ByFailedImport, false
			r.Why = importOfFails(failing.Name, r.Target, failing.Why)
		}
	}
}

// importOfFails says why nothing fills a DataSource.
func importOfFails(cron, target, why string) string {
	return fmt.Sprintf("the import of DataImportCron %q, which would fill %q, fails: %s", cron, target, why)
}

// builtInImages returns what spec.overrides says about the images of templates that have
// the built-in source, by the template's name.
func (in Input) builtInImages() map[string]arch.Set {
	out := map[string]arch.Set{}
	if !slices.ContainsFunc(in.Table.Templates, func(p hyperconverged.Predefined) bool { return p.Image != nil }) {
		return out
	}
	for _, c := range hyperconverged.Classify(in.CR, in.Table) {
		own := c.Class == hyperconverged.ClassPredefined || c.IgnoresClaim() && c.Registry() != nil
		if own && c.Base.Image != nil {
			out[c.Name()] = c.Base.Image
		}
	}
	return out
}
