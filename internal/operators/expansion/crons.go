package expansion

import (
	"maps"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
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
type Crons map[Key]*Cron

func (c Crons) add(cron *Cron) { c[cron.Key()] = cron }

// Key returns SSP's key of the cron.
func (c Cron) Key() Key { return Key{c.Namespace, c.Spec.ManagedDataSource} }

// SingleArch returns the crons of the templates if the gate is off: the templates unchanged
// (ssp reconcile.go: getCronsByDataSource).
func (s SSP) SingleArch(templates []Template) Crons {
	out := Crons{}
	for _, t := range templates {
		out.add(plain(t, s.Namespace))
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
			c := plain(t, s.Namespace)
			if a, ok := s.BundleDefault(t.Spec.ManagedDataSource); ok {
				c.Spec.ManagedDataSource = WithArchitecture(c.Spec.ManagedDataSource, a)
			}
			out.add(c)
			continue
		}
		for _, a := range s.Architectures(t.Declared()) {
			out.add(For(t, a, s.Namespace))
		}
	}
	return out
}

// Architectures returns the architectures for which SSP expands a template that declares these.
func (s SSP) Architectures(declared string) arch.Set {
	return parse(declared).Intersect(arch.NewSet(s.Order...))
}

// BundleDefault returns the default architecture of a DataSource of the bundle: the first
// of the cluster's architectures that has a template. SSP ignores the declared
// architectures here (ssp reconcile.go, lines 456 and 780 to 788).
func (s SSP) BundleDefault(dataSource string) (arch.Arch, bool) {
	return first(s.Order, s.Bundle[dataSource])
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
		if a, ok := first(s.Order, parse(t.Declared())); ok {
			out[name] = a
		}
	}
	return out
}

// UnknownDefault returns the architectures of which one is the default of a DataSource with
// these, if the control plane is unknown: its first one counts, and it may be any. It
// returns nil if the default is known, or if there is none.
func (s SSP) UnknownDefault(of arch.Set) arch.Set {
	if possible := of.Intersect(cluster.KnownToSSP); s.ControlPlaneUnknown && len(possible) > 1 {
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
			of = parse(t.Declared())
		}
		if _, taken := out[name]; !taken && len(of) > 0 {
			out[name] = s.UnknownDefault(of)
		}
	}
	maps.DeleteFunc(out, func(_ string, possible arch.Set) bool { return len(possible) == 0 })
	return out
}

// Sorted returns the crons by namespace and name, bytewise.
func (c Crons) Sorted() []*Cron {
	out := make([]*Cron, 0, len(c))
	for _, cron := range c {
		out = append(out, cron)
	}
	slices.SortFunc(out, func(a, b *Cron) int { return CompareNames(a.Namespace, a.Name, b.Namespace, b.Name) })
	return out
}

// CompareNames compares the "namespace/name" of two objects, bytewise.
func CompareNames(namespace, name, otherNamespace, otherName string) int {
	if namespace == otherNamespace {
		return strings.Compare(name, otherName)
	}
	return strings.Compare(namespace+"/"+name, otherNamespace+"/"+otherName)
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

// The namespaces where SSP keeps golden images. Each is a constant of a build (ssp
// internal/constants.go), and no field of a CR changes it.
const (
	UpstreamNamespace  = "kubevirt-os-images"
	OpenShiftNamespace = "openshift-virtualization-os-images"
)

// Template is a DataImportCronTemplate as SSP gets it.
type Template struct {
	Metadata hyperconverged.TemplateMetadata
	Spec     cdiv1.DataImportCronSpec
}

// Declared returns the template's declared architectures. It returns "" if the
// annotation is missing: SSP treats both cases the same.
func (t Template) Declared() string { return t.Metadata.Annotations[hyperconverged.ClaimAnnotation] }

// Cron is a DataImportCron, without the labels and annotations that say which component
// made it.
type Cron struct {
	Name, Namespace     string
	Labels, Annotations map[string]string
	Spec                cdiv1.DataImportCronSpec
	// Architecture is the architecture that the cron imports; "" for a plain cron.
	Architecture arch.Arch
}

// plain returns a template's cron unchanged, but without the declared architectures, which
// SSP never copies. The cron shares pointers with the template's spec, so nothing may
// change what they point at. Its namespace is the template's, or the given one if the
// template has none (ssp reconcile.go, lines 264 to 306).
func plain(t Template, namespace string) *Cron {
	c := &Cron{
		Name: t.Metadata.Name, Namespace: t.Metadata.Namespace,
		Labels: maps.Clone(t.Metadata.Labels), Annotations: maps.Clone(t.Metadata.Annotations), Spec: t.Spec,
	}
	delete(c.Annotations, hyperconverged.ClaimAnnotation)
	if c.Namespace == "" {
		c.Namespace = namespace
	}
	return c
}

// For returns a template's cron for one architecture. Its name and its DataSource end with
// the architecture, and it has the two labels. If the source is a registry, the cron names
// the platform to import (ssp reconcile.go, lines 385 to 406).
func For(t Template, a arch.Arch, namespace string) *Cron {
	c := plain(t, namespace)
	if c.Labels == nil {
		c.Labels = map[string]string{}
	}
	c.Architecture = a
	c.Name = WithArchitecture(c.Name, a)
	c.Labels[cdi.ArchitectureLabel] = string(a)
	c.Labels[cdi.DataSourceLabel] = t.Spec.ManagedDataSource
	c.Spec.ManagedDataSource = WithArchitecture(t.Spec.ManagedDataSource, a)
	if source := c.Spec.Template.Spec.Source; source != nil && source.Registry != nil {
		source = source.DeepCopy() // crons share the rest of the spec, and nothing changes it
		if source.Registry.Platform == nil {
			source.Registry.Platform = &cdiv1.PlatformOptions{}
		}
		source.Registry.Platform.Architecture = string(a)
		c.Spec.Template.Spec.Source = source
	}
	return c
}

// WithArchitecture returns the name of the object for one architecture.
func WithArchitecture(name string, a arch.Arch) string { return name + "-" + string(a) }

// parse returns the architectures that SSP reads from declared architectures. SSP trims
// each part, and silently drops unknown ones (ssp reconcile.go: parseArchsAnnotation).
func parse(claim string) arch.Set {
	var list []arch.Arch
	for part := range strings.SplitSeq(claim, ",") {
		if a := arch.Arch(strings.TrimSpace(part)); cluster.KnownToSSP.Contains(a) {
			list = append(list, a)
		}
	}
	return arch.NewSet(list...)
}

// first returns the first architecture in order that the set contains; false if the set
// contains none. SSP chooses from the cluster's architectures in this way.
func first(order []arch.Arch, of arch.Set) (arch.Arch, bool) {
	i := slices.IndexFunc(order, of.Contains)
	if i < 0 {
		return "", false
	}
	return order[i], true
}

// Bundle has the DataSources of a collection of common templates, by name, each with the
// architectures that have a template. SSP makes these DataSources even if no
// DataImportCronTemplate fills them.
type Bundle map[string]arch.Set

// Shipped returns the bundle of common-templates v0.35.0, which SSP ships. Each SSP release
// ships one bundle, and a downstream build may ship another.
func Shipped() Bundle {
	amd64 := arch.NewSet(arch.AMD64)
	return Bundle{
		"centos-stream9": cluster.KnownToSSP, "fedora": cluster.KnownToSSP, "rhel9": cluster.KnownToSSP, "ubuntu": cluster.KnownToSSP,
		"rhel8":   arch.NewSet(arch.AMD64, arch.S390X),
		"centos6": amd64, "opensuse": amd64, "rhel7": amd64, "win10": amd64, "win11": amd64,
		"win2k16": amd64, "win2k19": amd64, "win2k22": amd64, "win2k25": amd64,
	}
}

// About returns the part of the bundle for DataSources with these names, with or without an
// architecture in the name.
func (b Bundle) About(names map[string]bool) Bundle {
	out := make(Bundle, len(names))
	keep := func(name string) {
		if templates, has := b[name]; has {
			out[name] = templates
		}
	}
	for name := range names {
		keep(name)
		for _, a := range cluster.KnownToSSP {
			if base, has := strings.CutSuffix(name, "-"+string(a)); has {
				keep(base)
			}
		}
	}
	return out
}
