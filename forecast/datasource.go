package forecast

import (
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/arch"
	"github.com/goldenarch/goldenarch/cdi"
	"github.com/goldenarch/goldenarch/expansion"
)

// dataSource is a DataSource. Exactly one of reference and pvc is set, or
// neither where a cron fills it.
type dataSource struct {
	name, namespace string
	labels          map[string]string
	reference, pvc  string
}

func (d dataSource) filledByCron() bool { return d.labels[cdi.CronLabel] != "" }

// dataSources returns what SSP makes, by name, all of it in the golden images
// namespace (ssp reconcile.go, lines 353 to 505).
func (s ssp) dataSources(crons expansion.Crons) map[string]dataSource {
	out := map[string]dataSource{}
	if !s.gate {
		s.addSingle(out, crons)
		return out
	}
	for name, templates := range s.Bundle {
		standard, ok := s.BundleDefault(name)
		if !ok {
			continue
		}
		out[name] = s.reference(name, standard)
		for _, a := range templates.Intersect(arch.NewSet(s.Order...)) {
			full := expansion.WithArchitecture(name, a)
			out[full] = s.owned(full, map[string]string{cdi.ArchitectureLabel: string(a)}, crons)
		}
	}
	for name, standard := range s.Defaults(s.templates) {
		if _, taken := out[name]; !taken {
			out[name] = s.reference(name, standard)
		}
	}
	return out
}

// addSingle adds the DataSources of a cluster of one architecture: those of the
// bundle for the first of the cluster, or for SSP's own where none is known.
func (s ssp) addSingle(out map[string]dataSource, crons expansion.Crons) {
	single := arch.AMD64
	if len(s.Order) > 0 {
		single = s.Order[0]
	}
	for name, templates := range s.Bundle {
		if templates.Contains(single) {
			out[name] = s.owned(name, nil, crons)
		}
	}
}

// reference points at the DataSource of the default architecture.
func (s ssp) reference(name string, standard arch.Arch) dataSource {
	return dataSource{name: name, namespace: s.Namespace, reference: expansion.WithArchitecture(name, standard)}
}

// owned is filled by a cron if there is one, and else looks at a PVC of its own
// name, whether or not that exists.
func (s ssp) owned(name string, labels map[string]string, crons expansion.Crons) dataSource {
	d := dataSource{name: name, namespace: s.Namespace, labels: maps.Clone(labels)}
	if c, ok := crons[expansion.Key{Namespace: s.Namespace, DataSource: name}]; ok {
		if d.labels == nil {
			d.labels = map[string]string{}
		}
		d.labels[cdi.CronLabel] = c.Name
		return d
	}
	d.pvc = name
	return d
}

// object returns the DataSource as an object.
func (d dataSource) object() expansion.Object {
	source := map[string]any{}
	if d.reference != "" {
		source["dataSource"] = map[string]any{"name": d.reference, "namespace": d.namespace}
	}
	if d.pvc != "" {
		source["pvc"] = map[string]any{"name": d.pvc, "namespace": d.namespace}
	}
	return expansion.NewObject(map[string]any{
		"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataSource",
		"metadata": metadata(d.name, d.namespace, d.labels, nil), "spec": map[string]any{"source": source},
	})
}

// pick returns the DataSources that have to do with the given templates, and
// nothing with the others.
func pick(sources map[string]dataSource, templates, others []expansion.Template) []expansion.Object {
	names, not := namesOf(templates), namesOf(others)
	out := []expansion.Object{}
	for name, d := range sources {
		if slices.Contains(names, name) && !slices.Contains(not, name) {
			out = append(out, d.object())
		}
	}
	return expansion.SortObjects(out)
}

// namesOf returns the names of DataSources that templates may fill.
func namesOf(templates []expansion.Template) []string {
	var names []string
	for _, t := range templates {
		names = append(names, t.Spec.ManagedDataSource)
		for _, a := range expansion.Known {
			names = append(names, expansion.WithArchitecture(t.Spec.ManagedDataSource, a))
		}
	}
	return names
}
