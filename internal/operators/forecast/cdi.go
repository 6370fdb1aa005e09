package forecast

import (
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// dataSources are DataSources by where they stand.
type dataSources map[place]dataSource

type place struct{ namespace, name string }

// afterCDI returns the DataSources after CDI has reconciled the crons that it
// admits, before anything is imported (cdi dataimportcron-controller.go, lines
// 585 to 588 and 801 to 830). One that says that another cron fills it is taken
// over: SSP deletes what it made before, and of others' crons nothing is known.
func (s ssp) afterCDI(m made) dataSources {
	all := s.existingDataSources(m)
	for _, c := range m.crons.Sorted() {
		if cdi.Refused(c.Name, c.Spec) != "" {
			continue
		}
		at := place{c.Namespace, c.Spec.ManagedDataSource}
		d, exists := all[at]
		if exists && d.filledBy() == "" {
			continue // not one that a cron may fill
		}
		if !exists {
			d = dataSource{name: at.name, namespace: at.namespace, labels: map[string]string{}, owner: OwnerCDI}
		}
		maps.Copy(d.labels, cdi.DataSourceLabels(c.Name, c.Labels, c.Spec))
		all[at] = d
	}
	return all
}

// existingDataSources returns the DataSources that there are before CDI looks at them: what
// SSP made, and what was there and SSP does not delete.
func (s ssp) existingDataSources(m made) dataSources {
	all := dataSources{}
	for _, e := range s.existing {
		if e.Kind != KindDataSource || e.Owned && e.Namespace == s.Namespace {
			continue
		}
		all[place{e.Namespace, e.Name}] = dataSource{
			name: e.Name, namespace: e.Namespace, labels: merged(e.Labels, nil), kept: e.Source, owner: e.owner(),
		}
	}
	for name, d := range m.sources {
		d.labels = maps.Clone(d.labels)
		all[place{d.namespace, name}] = d
	}
	return all
}

// objects returns the DataSources of these names.
func (d dataSources) objects(names []string) []expansion.Object {
	out := []expansion.Object{}
	for at, one := range d {
		if slices.Contains(names, at.name) {
			out = append(out, one.object())
		}
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
