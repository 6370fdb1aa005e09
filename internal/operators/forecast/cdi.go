package forecast

import (
	"maps"

	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// dataSources has DataSources by namespace and name.
type dataSources map[place]dataSource

type place struct{ namespace, name string }

// afterCDI returns the DataSources after CDI has reconciled the crons that it admits,
// before it imports anything (cdi dataimportcron-controller.go, lines 585 to 588 and 801 to
// 830). A cron takes over a DataSource whose label names another cron. SSP deletes the
// crons that it made before, and goldenarch does not know the crons of other owners.
func (s ssp) afterCDI(m made) dataSources {
	all := s.existingDataSources(m)
	for _, c := range m.crons.Sorted() {
		if m.refused[c.Key()] != "" {
			continue
		}
		at := place{c.Namespace, c.Spec.ManagedDataSource}
		d, exists := all[at]
		if exists && d.filledBy() == "" {
			continue // a cron cannot fill this one
		}
		if !exists {
			d = dataSource{name: at.name, namespace: at.namespace, labels: map[string]string{}, owner: OwnerCDI}
		}
		maps.Copy(d.labels, cdi.DataSourceLabels(c.Name, c.Labels, c.Spec))
		all[at] = d
	}
	return all
}

// existingDataSources returns the DataSources that exist before CDI reconciles. They are
// the ones that SSP makes, and those in the cluster that SSP does not delete.
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

// objects returns the DataSources that have one of these names.
func (d dataSources) objects(names map[string]bool) []expansion.Object {
	out := []expansion.Object{}
	for at, one := range d {
		if names[at.name] && len(one.possible) == 0 {
			out = append(out, one.object())
		}
	}
	return expansion.SortObjects(out)
}

// verdicts returns the answer of CDI's webhook to each cron.
func (m made) verdicts() map[string]string {
	spaces := map[string]map[string]bool{} // by name
	for _, c := range m.crons {
		if spaces[c.Name] == nil {
			spaces[c.Name] = map[string]bool{}
		}
		spaces[c.Name][c.Namespace] = true
	}
	out := map[string]string{}
	for key, c := range m.crons {
		name := c.Name
		if len(spaces[name]) > 1 {
			name = c.Namespace + "/" + c.Name
		}
		out[name] = verdict(m.refused[key])
	}
	return out
}

// verdict returns a refusal in the form of CDI's webhook handler: with a leading blank.
func verdict(refused string) string {
	if refused == "" {
		return ""
	}
	return " " + refused
}
