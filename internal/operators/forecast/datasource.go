package forecast

import (
	"maps"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// dataSource is a DataSource. It sets at most one of reference, pvc and kept. It sets none
// if a cron fills a new DataSource.
type dataSource struct {
	name, namespace string
	labels          map[string]string
	reference, pvc  string
	// possible are the architectures of which one is that of the reference, if goldenarch
	// does not know which.
	possible arch.Set
	// kept is the source of a DataSource that already exists and that SSP leaves unchanged.
	kept map[string]any
	// owner is the component that made the DataSource.
	owner Owner
	// idle says why no cron fills the DataSource, although a template requests one.
	idle string
}

// filledBy returns the name of the cron that fills it, "" if none does.
func (d dataSource) filledBy() string { return d.labels[cdi.CronLabel] }

// defaultArchitecture returns the architecture that a reference points at; "" for a
// DataSource that is not a reference,
// or is unknown.
func (d dataSource) defaultArchitecture() string {
	if len(d.possible) > 0 {
		return ""
	}
	return strings.TrimPrefix(d.reference, d.name+"-")
}

// dataSources returns the DataSources that SSP makes, by name. All of them are in the
// golden images namespace (ssp reconcile.go, lines 353 to 505).
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
		out[name] = s.reference(name, standard, templates)
		for _, a := range templates.Intersect(arch.NewSet(s.Order...)) {
			full := expansion.WithArchitecture(name, a)
			old := ""
			if a == standard {
				old = name
			}
			out[full] = s.ownedDataSource(full, map[string]string{cdi.ArchitectureLabel: string(a)}, crons, old)
		}
	}
	unknown := s.UnknownDefaults(s.templates)
	for name, standard := range s.Defaults(s.templates) {
		if _, taken := out[name]; !taken {
			out[name] = s.reference(name, standard, unknown[name])
		}
	}
	return out
}

// addSingle adds the DataSources of a cluster with one architecture. They are those of the
// bundle for the cluster's first architecture, or for SSP's own if no architecture is
// known.
func (s ssp) addSingle(out map[string]dataSource, crons expansion.Crons) {
	single := arch.AMD64
	if len(s.Order) > 0 {
		single = s.Order[0]
	}
	for name, templates := range s.Bundle {
		if templates.Contains(single) {
			out[name] = s.ownedDataSource(name, nil, crons, "")
		}
	}
}

// reference returns a reference to the DataSource of the default architecture. of are the
// architectures from which SSP takes it.
func (s ssp) reference(name string, standard arch.Arch, of arch.Set) dataSource {
	d := dataSource{
		name: name, namespace: s.Namespace, owner: OwnerSSP,
		reference: expansion.WithArchitecture(name, standard), possible: s.UnknownDefault(of),
	}
	found, _ := s.existing.find(KindDataSource, s.Namespace, name)
	d.labels = merged(found.Labels, nil)
	s.release(d.labels)
	return d
}

// ownedDataSource returns a DataSource that a cron fills. Without a cron, the DataSource
// points at a PVC of its own name, whether or not that PVC exists. old is the PVC's name
// from before the cluster had several architectures; "" if there is no such PVC to check.
func (s ssp) ownedDataSource(name string, labels map[string]string, crons expansion.Crons, old string) dataSource {
	found, _ := s.existing.find(KindDataSource, s.Namespace, name)
	d := dataSource{name: name, namespace: s.Namespace, labels: merged(found.Labels, labels), owner: OwnerSSP}
	update := s.update(name, old, crons)
	if update.auto {
		d.labels[cdi.CronLabel] = crons[expansion.Key{Namespace: s.Namespace, DataSource: name}].Name
		d.kept = found.Source // a DataSource that CDI fills keeps its source
		return d
	}
	s.release(d.labels)
	d.pvc, d.kept, d.idle = update.pvc, update.kept, update.why
	return d
}

// release removes the labels of a DataSource which say that a cron fills it (ssp
// reconcile.go: reconcileDataSource).
func (s ssp) release(labels map[string]string) {
	delete(labels, cdi.CronLabel)
	if s.rules.cleanup {
		delete(labels, cdi.CleanupLabel)
	}
}

// merged returns the existing labels, overwritten by the given ones (ssp
// internal/common/resource.go: UpdateLabels).
func merged(has, labels map[string]string) map[string]string {
	out := make(map[string]string, len(has)+len(labels))
	maps.Copy(out, has)
	maps.Copy(out, labels)
	return out
}

// object returns the DataSource as an object.
func (d dataSource) object() expansion.Object {
	source := map[string]any{}
	switch {
	case d.reference != "":
		source["dataSource"] = map[string]any{"name": d.reference, "namespace": d.namespace}
	case d.pvc != "":
		source["pvc"] = map[string]any{"name": d.pvc, "namespace": d.namespace}
	case d.kept != nil:
		source = d.kept
	}
	return expansion.NewObject(map[string]any{
		"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataSource",
		"metadata": metadata(d.name, d.namespace, d.labels, nil), "spec": map[string]any{"source": source},
	})
}

// pick returns the DataSources that the given templates may fill and the others may not.
func pick(sources map[string]dataSource, templates, others []expansion.Template) []expansion.Object {
	names, not := namesOf(templates), namesOf(others)
	out := []expansion.Object{}
	for name, d := range sources {
		if names[name] && !not[name] && len(d.possible) == 0 {
			out = append(out, d.object())
		}
	}
	return expansion.SortObjects(out)
}

// namesOf returns the names of DataSources that templates may fill.
func namesOf(templates ...[]expansion.Template) map[string]bool {
	names := map[string]bool{}
	for _, list := range templates {
		for _, t := range list {
			names[t.Spec.ManagedDataSource] = true
			for _, a := range expansion.Known {
				names[expansion.WithArchitecture(t.Spec.ManagedDataSource, a)] = true
			}
		}
	}
	return names
}

func metadata(name, namespace string, labels, annotations map[string]string) map[string]any {
	return map[string]any{"name": name, "namespace": namespace, "labels": withoutAppLabels(labels), "annotations": annotations}
}

// withoutAppLabels removes the labels that say which component made an object: each
// operator sets its own.
func withoutAppLabels(labels map[string]string) map[string]string {
	out := map[string]string{}
	for key, value := range labels {
		if !strings.HasPrefix(key, "app.kubernetes.io/") {
			out[key] = value
		}
	}
	return out
}
