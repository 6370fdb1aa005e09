package answers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// Key identifies an object by kind, namespace and name.
func Key(o expansion.Object) string { return o.Kind() + "/" + o.Namespace() + "/" + o.Name() }

// NewEntry describes an object; its state is not known yet.
func NewEntry(o expansion.Object) Entry {
	e := Entry{
		Kind: o.Kind(), Name: o.Name(), Cron: o.Text("metadata", "labels", cdi.CronLabel),
		Cleanup: o.Text("metadata", "labels", cdi.CleanupLabel) == "true", Architecture: o.Text("metadata", "labels", cdi.ArchitectureLabel),
	}
	for _, owner := range o.List("metadata", "ownerReferences") {
		e.Owners = append(e.Owners, owner.Text("kind")+"/"+owner.Text("name"))
	}
	if e.Kind == "DataSource" {
		for _, source := range []string{"pvc", "snapshot", "dataSource"} {
			if name := o.Text("spec", "source", source, "name"); name != "" {
				e.Source = source + "/" + name
			}
		}
	}
	return e
}

// List says what a step did to each object that belongs to a template. SSP has many more
// DataSources, from its common templates, which point at nothing: these are left out.
func List(before, after []expansion.Object) []Entry {
	had, crons := map[string]Entry{}, map[string]bool{}
	for _, object := range before {
		had[Key(object)] = NewEntry(object)
	}
	for _, object := range after {
		if object.Kind() == "DataImportCron" {
			crons[object.Name()] = true
		}
	}
	wanted := sourcesOf(before, after)
	var out []Entry
	for _, object := range after {
		e := NewEntry(object)
		old, ok := had[Key(object)]
		delete(had, Key(object))
		if e.Kind == "DataSource" && !wanted[Key(object)] {
			continue
		}
		e.State = "kept"
		old.State, old.Orphan = "", false
		if plain := e; !ok {
			e.State = "created"
		} else if plain.State = ""; fmt.Sprint(plain) != fmt.Sprint(old) {
			e.State = "changed"
		}
		e.Orphan = e.Kind != "DataImportCron" && len(e.Owners) == 0 && e.Cron != "" && !crons[e.Cron]
		out = append(out, e)
	}
	for key, e := range had {
		if e.Kind != "DataSource" || wanted[key] {
			e.State = "deleted"
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { // objects of one name are in several namespaces
		return cmp.Or(
			strings.Compare(a.Kind+"/"+a.Name, b.Kind+"/"+b.Name),
			strings.Compare(a.State, b.State), strings.Compare(a.Cron, b.Cron), strings.Compare(a.Source, b.Source),
		)
	})
	return out
}

// sourcesOf are the keys of DataSources that a DataImportCron manages or did manage, and of
// those that point at them.
func sourcesOf(states ...[]expansion.Object) map[string]bool {
	out := map[string]bool{}
	for _, objects := range states {
		for _, object := range objects {
			if object.Kind() == "DataImportCron" {
				out["DataSource/"+object.Namespace()+"/"+object.Text("spec", "managedDataSource")] = true
			}
			if object.Kind() == "DataSource" && object.Text("metadata", "labels", cdi.CronLabel) != "" {
				out[Key(object)] = true
			}
		}
	}
	for _, objects := range states {
		for _, object := range objects {
			if to := object.Child("spec", "source", "dataSource"); out["DataSource/"+to.Text("namespace")+"/"+to.Text("name")] {
				out[Key(object)] = true
			}
		}
	}
	return out
}
