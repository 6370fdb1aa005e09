package expansion

import (
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// SSP is what SSP knows besides the templates.
type SSP struct {
	// Order are the architectures of the cluster in SSP's order: those of the
	// control plane first.
	Order []arch.Arch
	// Bundle are the common templates of this SSP.
	Bundle Bundle
	// Namespace is where it keeps golden images.
	Namespace string
}

// Key is what SSP keys its crons by: two templates with one key overwrite each
// other, the last in the list winning.
type Key struct{ Namespace, DataSource string }

// Crons are DataImportCrons as SSP keys them.
type Crons map[Key]Cron

func (c Crons) add(cron Cron) { c[cron.Key()] = cron }

// Key returns what SSP keys the cron by.
func (c Cron) Key() Key { return Key{c.Namespace, c.Spec.ManagedDataSource} }

// SingleArch returns the crons of the templates where the gate is off: the
// templates as they are (ssp reconcile.go: getCronsByDataSource).
func (s SSP) SingleArch(templates []Template) Crons {
	out := Crons{}
	for _, t := range templates {
		out.add(Plain(t, s.Namespace))
	}
	return out
}

// MultiArch returns the crons of the templates where the gate is on: one for
// each architecture of claim and cluster. A template without a claim keeps a
// plain one, which fills the default architecture's DataSource if the bundle has
// its name (ssp reconcile.go: getCronsByDataSourceMultiArch).
func (s SSP) MultiArch(templates []Template) Crons {
	out := Crons{}
	for _, t := range templates {
		if t.Claim() == "" {
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

// Architectures returns the architectures that a template is expanded for.
func (s SSP) Architectures(t Template) arch.Set {
	return Parse(t.Claim()).Intersect(arch.NewSet(s.Order...))
}

// BundleDefault returns the default architecture of a DataSource of the bundle:
// the first of the cluster that has a template. The claim is not consulted (ssp
// reconcile.go, lines 456 and 780 to 788).
func (s SSP) BundleDefault(dataSource string) (arch.Arch, bool) {
	return First(s.Order, s.Bundle[dataSource])
}

// Defaults returns the default architecture of each DataSource that stands for
// a template's and is not of the bundle: the first of the cluster that the claim
// has. Of two templates with one DataSource the first in the list decides (ssp
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
		if a, ok := First(s.Order, Parse(t.Claim())); ok {
			out[name] = a
		}
	}
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

// SameName returns the "namespace/name" that two crons have, the first of
// several, "" if all differ. SSP goes through its crons in random order, so
// which of the two there is in the end differs from run to run.
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
