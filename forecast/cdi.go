package forecast

import (
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/cdi"
	"github.com/goldenarch/goldenarch/expansion"
)

// afterCDI returns the DataSources of the templates after CDI has reconciled
// the crons that it admits, before anything is imported (cdi
// dataimportcron-controller.go, lines 801 to 830).
func afterCDI(made map[string]dataSource, templates []expansion.Template, crons expansion.Crons, verdicts map[string]string) []expansion.Object {
	type key struct{ namespace, name string }
	names := namesOf(templates)
	all := map[key]dataSource{}
	for name, d := range made {
		if slices.Contains(names, name) {
			d.labels = maps.Clone(d.labels)
			all[key{d.namespace, name}] = d
		}
	}
	for _, c := range crons.Sorted() {
		if verdicts[verdictKey(c, crons)] != "" {
			continue
		}
		at := key{c.Namespace, c.Spec.ManagedDataSource}
		d, exists := all[at]
		if exists && d.labels[cdi.CronLabel] != c.Name {
			continue // managed by nobody, or by another cron
		}
		if !exists {
			d = dataSource{name: at.name, namespace: at.namespace, labels: map[string]string{cdi.CronLabel: c.Name}}
		}
		maps.Copy(d.labels, cdi.DataSourceLabels(c.Name, c.Labels, c.Spec))
		all[at] = d
	}
	out := make([]expansion.Object, 0, len(all))
	for _, d := range all {
		out = append(out, d.object())
	}
	return expansion.SortObjects(out)
}

// verdicts returns what CDI's webhook says of each cron.
func verdicts(crons expansion.Crons) map[string]string {
	out := map[string]string{}
	for _, c := range crons {
		out[verdictKey(c, crons)] = verdict(c)
	}
	return out
}

// verdict returns why CDI's webhook refuses a cron, as its handler says it: with
// a blank in front.
func verdict(c expansion.Cron) string {
	refused := cdi.Refused(c.Name, c.Spec)
	if refused == "" {
		return ""
	}
	return " " + refused
}

// verdictKey is the name of a cron, with its namespace where another namespace
// has one of the same name.
func verdictKey(c expansion.Cron, crons expansion.Crons) string {
	for _, other := range crons {
		if other.Name == c.Name && other.Namespace != c.Namespace {
			return c.Namespace + "/" + c.Name
		}
	}
	return c.Name
}
