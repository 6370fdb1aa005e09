package expansion

import (
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// SSP is what SSP knows in addition to the templates.
type SSP struct {
	// Order has the cluster's architectures in SSP's order: the control plane's first.
	Order []arch.Arch
	// ControlPlaneUnknown says that Order has the workload architectures alone, because
	// nothing states those of the control plane.
	ControlPlaneUnknown bool
	// Bundle are the common templates of this SSP.
	Bundle Bundle
	// Namespace is where SSP keeps golden images.
	Namespace string
}

// Key identifies a cron for SSP. If two templates have the same key, the last one in the
// list overwrites the other.
type Key struct{ Namespace, DataSource string }

// Crons has DataImportCrons by SSP's key.
type Crons map[Key]Cron

func (c Crons) add(cron Cron) { c[cron.Key()] = cron }

// Key returns SSP's key of the cron.
func (c Cron) Key() Key { return Key{c.Namespace, c.Spec.ManagedDataSource} }

// SingleArch returns the crons of the templates if the gate is off: the templates unchanged
// (ssp reconcile.go: getCronsByDataSource).
func (s SSP) SingleArch(templates []Template) Crons {
	out := Crons{}
	for _, t := range templates {
		out.add(Plain(t, s.Namespace))
	}
	return out
}

// MultiArch returns the crons of the templates if the gate is on: one for each architecture
// that the template declares and the cluster has. A template without declared architectures
// keeps a plain cron. That cron fills the default architecture's DataSource if the bundle
// has its name (ssp reconcile.go: getCronsByDataSourceMultiArch).
func (s SSP) MultiArch(templates []Template) Crons {
	out := Crons{}
	for _, t := range templates {
		if t.Declared() == "" {
			c := Plain(t, s.Namespace)
			if a, ok := s.BundleDefault(t.Spec.ManagedDataSource); ok {
				c.Spec.ManagedDataSource = WithArchitecture(c.Spec.ManagedDataSource, a)
			}
			out.add(c)
			continue
		}
		for _, a := range s.Architectures(t) {
			out.add(For(t, a, s.Namespace))
		}
	}
	return out
}

// Architectures returns the architectures for which SSP expands a template.
func (s SSP) Architectures(t Template) arch.Set {
	return Parse(t.Declared()).Intersect(arch.NewSet(s.Order...))
}

// BundleDefault returns the default architecture of a DataSource of the bundle: the first
// of the cluster's architectures that has a template. SSP ignores the declared
// architectures here (ssp reconcile.go, lines 456 and 780 to 788).
func (s SSP) BundleDefault(dataSource string) (arch.Arch, bool) {
	return First(s.Order, s.Bundle[dataSource])
}

// Defaults returns the default architecture of each template's default DataSource that is
// not in the bundle. It is the first of the cluster's architectures that the template
// declares. If two templates have the same DataSource, the first in the list decides (ssp
// reconcile.go, lines 353 to 383).
func (s SSP) Defaults(templates []Template) map[string]arch.Arch {
	out := map[string]arch.Arch{}
	for _, t := range templates {
		name := t.Spec.ManagedDataSource
		if _, ofBundle := s.BundleDefault(name); ofBundle {
			continue
		}
		if _, taken := out[name]; taken {
			continue
		}
		if a, ok := First(s.Order, Parse(t.Declared())); ok {
			out[name] = a
		}
	}
	return out
}

// UnknownDefault returns the architectures of which one is the default of a DataSource with
// these, if the control plane is unknown: its first one counts, and it may be any. It
// returns nil if the default is known, or if there is none.
func (s SSP) UnknownDefault(of arch.Set) arch.Set {
	if possible := of.Intersect(Known); s.ControlPlaneUnknown && len(possible) > 1 {
		return possible
	}
	return nil
}

// UnknownDefaults returns the default DataSources of the templates whose default
// architecture is unknown, with the possible ones. The templates declare only architectures
// of workload nodes. As in [SSP.Defaults], the first template of a DataSource decides.
func (s SSP) UnknownDefaults(templates []Template) map[string]arch.Set {
	out := map[string]arch.Set{}
	for _, t := range templates {
		name := t.Spec.ManagedDataSource
		of, ofBundle := s.Bundle[name]
		if !ofBundle {
			of = Parse(t.Declared())
		}
		if _, taken := out[name]; !taken && len(of) > 0 {
			out[name] = s.UnknownDefault(of)
		}
	}
	maps.DeleteFunc(out, func(_ string, possible arch.Set) bool { return len(possible) == 0 })
	return out
}

// Sorted returns the crons by namespace and name, bytewise.
func (c Crons) Sorted() []Cron {
	out := make([]Cron, 0, len(c))
	for _, cron := range c {
		out = append(out, cron)
	}
	slices.SortFunc(out, func(a, b Cron) int {
		if a.Namespace == b.Namespace {
			return strings.Compare(a.Name, b.Name)
		}
		return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
	return out
}

// SameName returns the first "namespace/name" that two crons share; "" if all names differ.
// SSP processes its crons in random order, so which of the two remains differs from run to
// run.
func (c Crons) SameName() string {
	type place struct{ namespace, name string }
	seen := make(map[place]bool, len(c))
	first := ""
	for _, cron := range c {
		at := place{cron.Namespace, cron.Name}
		if name := at.namespace + "/" + at.name; seen[at] && (first == "" || name < first) {
			first = name
		}
		seen[at] = true
	}
	return first
}
