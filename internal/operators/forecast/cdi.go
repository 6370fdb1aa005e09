package forecast

import (
	"maps"

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
		if m.refused[c.Key()] != "" {
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
func (d dataSources) objects(names map[string]bool) []expansion.Object {
	out := []expansion.Object{}
	for at, one := range d {
		if names[at.name] {
			out = append(out, one.object())
		}
	}
	return expansion.SortObjects(out)
}

// verdicts returns what CDI's webhook says of each cron.
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

// verdict returns a refusal by CDI's webhook as its handler says it: with a blank in
// front.
func verdict(refused string) string {
	if refused == "" {
		return ""
	}
	return " " + refused
}
