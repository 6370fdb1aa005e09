package hyperconverged

import (
	"maps"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
)

// Table has the predefined templates of the running HCO.
type Table struct {
	// Name says which table it is: "upstream", "openshift", "none" or "own".
	Name string
	// Templates are the predefined templates, sorted by name.
	Templates []Predefined
	// settled says that the table already belongs to one release.
	settled bool
}

// Predefined is one template of the table.
type Predefined struct {
	Template
	// From is where the template is known from.
	From Origin
	// ClaimKnown says whether decisions may use the declared architectures of the template.
	// Those that are known only from documentation serve only for predictions.
	ClaimKnown bool
	// claimFrom says where the declared architectures are known from, if that differs from
	// From.
	claimFrom Origin
	// Image has the architectures that spec.overrides states for the image; nil if it
	// states none.
	Image arch.Set
	// whole says that the spec is the one of the running HCO, with everything that HCO
	// adds.
	whole bool
	// registryUnknown says that the live CR shows the template only as a CR customizes it.
	registryUnknown bool
}

// Find returns the predefined template of a name. HCO compares names exactly.
func (t Table) Find(name string) (Predefined, bool) {
	for _, p := range t.Templates {
		if p.Name() == name {
			return p, true
		}
	}
	return Predefined{}, false
}

// Upstream returns the table of the upstream HCO, exact for releases 1.16 to
// 1.20 (hco assets/dataImportCronTemplates, the same bytes in all of them).
func Upstream() Table { return upstreamTable().copied() }

// goldenarch makes the tables once. Code that changes a template copies it first.
var upstreamTable = sync.OnceValue(func() Table {
	return newTable("upstream",
		upstream("centos-stream9-image-cron", "centos-stream9", "docker://quay.io/containerdisks/centos-stream:9", "10Gi", "amd64,arm64,s390x"),
		upstream("centos-stream10-image-cron", "centos-stream10", "docker://quay.io/containerdisks/centos-stream:10", "10Gi", "amd64,arm64,s390x"),
		upstream("fedora-image-cron", "fedora", "docker://quay.io/containerdisks/fedora:latest", "5Gi", "arm64,s390x,amd64"),
	)
})

// copied returns the table with its own copy of the list.
func (t Table) copied() Table {
	t.Templates = slices.Clone(t.Templates)
	return t
}

// each returns the table with a change of each template.
func (t Table) each(change func(Predefined) Predefined) Table {
	t = t.copied()
	for i, p := range t.Templates {
		t.Templates[i] = change(p)
	}
	return t
}

// OpenShift returns what is documented about the table of OpenShift Virtualization. The
// sources and sizes are those of public configurations. The architectures are those of the
// runbook HCOGoldenImageWithNoSupportedArchitecture. The table serves only for predictions.
func OpenShift() Table { return openShiftTable().copied() }

var openShiftTable = sync.OnceValue(func() Table {
	url := func(u string) cdiv1.DataVolumeSourceRegistry { return cdiv1.DataVolumeSourceRegistry{URL: &u} }
	stream := func(s string) cdiv1.DataVolumeSourceRegistry { return cdiv1.DataVolumeSourceRegistry{ImageStream: &s} }
	return newTable("openshift",
		downstream("rhel8-image-cron", "rhel8", stream("rhel8-guest")),
		downstream("rhel9-image-cron", "rhel9", stream("rhel9-guest")),
		downstream("rhel10-image-cron", "rhel10", stream("rhel10-guest")),
		downstream("centos-stream9-image-cron", "centos-stream9", url("docker://quay.io/containerdisks/centos-stream:9")),
		downstream("centos-stream10-image-cron", "centos-stream10", url("docker://quay.io/containerdisks/centos-stream:10")),
		downstream("fedora-image-cron", "fedora", url("docker://quay.io/containerdisks/fedora:latest")),
	)
})

// None returns the empty table.
func None() Table { return Table{Name: "none"} }

// declaring returns the template with other declared architectures, which count as known;
// "" removes them.
func (p Predefined) declaring(claim string) Predefined {
	p.Template, p.ClaimKnown = p.Template.clone(), true
	if p.Metadata.Annotations == nil {
		p.Metadata.Annotations = map[string]string{}
	}
	delete(p.Metadata.Annotations, ClaimAnnotation)
	if claim != "" {
		p.Metadata.Annotations[ClaimAnnotation] = claim
	}
	return p
}

func newTable(name string, templates ...Predefined) Table {
	slices.SortFunc(templates, func(a, b Predefined) int { return compareNames(a.Template, b.Template) })
	return Table{Name: name, Templates: templates}
}

func upstream(name, dataSource, url, size, claim string) Predefined {
	p := predefined(name, dataSource, cdiv1.DataVolumeSourceRegistry{URL: &url})
	p.From, p.ClaimKnown = Exact, true
	p.Metadata.Annotations[ClaimAnnotation] = claim
	setStorage(p.Spec, size)
	return p
}

// documentedClaim has the architectures that all predefined templates of OpenShift
// Virtualization declare (runbook HCOGoldenImageWithNoSupportedArchitecture).
const documentedClaim = "amd64,arm64,s390x"

func downstream(name, dataSource string, registry cdiv1.DataVolumeSourceRegistry) Predefined {
	node := cdiv1.RegistryPullNode
	registry.PullMethod = &node
	p := predefined(name, dataSource, registry)
	p.From = Documentation
	p.Metadata.Labels = map[string]string{"kubevirt.io/dynamic-credentials-support": "true"}
	p.Metadata.Annotations[ClaimAnnotation] = documentedClaim
	setStorage(p.Spec, "30Gi")
	return p
}

// predefined returns the parts that all predefined templates share, and the defaults that
// HCO adds when it loads them (hco golden_images.go, from 1.18 on: retentionPolicy and
// importsToKeep).
func predefined(name, dataSource string, registry cdiv1.DataVolumeSourceRegistry) Predefined {
	outdated, none, keep := cdiv1.DataImportCronGarbageCollectOutdated, cdiv1.DataImportCronRetainNone, int32(1)
	return Predefined{Template: Template{
		Index:    -1,
		Metadata: &TemplateMetadata{Name: name, Annotations: map[string]string{BindAnnotation: "true"}},
		Spec: &cdiv1.DataImportCronSpec{
			ManagedDataSource: dataSource,
			Schedule:          "0 */12 * * *",
			GarbageCollect:    &outdated,
			RetentionPolicy:   &none,
			ImportsToKeep:     &keep,
			Template: cdiv1.DataVolume{Spec: cdiv1.DataVolumeSpec{
				Source: &cdiv1.DataVolumeSource{Registry: &registry},
			}},
		},
	}}
}

func setStorage(spec *cdiv1.DataImportCronSpec, size string) {
	spec.Template.Spec.Storage = &cdiv1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(size)},
	}}
}

// WithSchedule returns the table with the schedule that HCO gives to all its predefined
// templates on a cluster; "" keeps the schedule of the file (hco golden_images.go:
// ApplyDataImportSchedule).
func (t Table) WithSchedule(schedule string) Table {
	if schedule == "" {
		return t
	}
	return t.each(func(p Predefined) Predefined {
		p.Template = p.Template.clone()
		p.Spec.Schedule = schedule
		return p
	})
}

// WithStated returns the table that a user's configuration states. What an entry does not
// state comes from the entry of the same name in t. The table also has the other templates
// that the live CR shows.
func (t Table) WithStated(list []v1alpha1.PredefinedTemplate) Table {
	templates := make([]Predefined, 0, len(list)+len(t.Templates))
	seen := map[string]bool{}
	for _, stated := range list {
		templates = append(templates, t.statedEntry(stated))
		seen[stated.TemplateName()] = true
	}
	for _, p := range t.Templates {
		if (p.From == LiveCR || p.registryUnknown) && !seen[p.Name()] {
			templates = append(templates, p)
		}
	}
	out := newTable("own", templates...)
	out.settled = t.settled
	return out
}

// statedEntry returns one entry of a user's table.
func (t Table) statedEntry(stated v1alpha1.PredefinedTemplate) Predefined {
	p, known := t.Find(stated.TemplateName())
	if known {
		p.Template = p.Template.clone()
	} else {
		p = predefined(stated.TemplateName(), stated.ManagedDataSource, cdiv1.DataVolumeSourceRegistry{})
	}
	p.From, p.ClaimKnown, p.Image = Configuration, true, nil
	if stated.Spec != nil || stated.Registry != (v1alpha1.RegistrySource{}) {
		p.registryUnknown = false
	}
	if m := stated.Metadata; m != nil {
		p.Metadata = &TemplateMetadata{
			Name: stated.TemplateName(), Namespace: m.Namespace, Labels: maps.Clone(m.Labels), Annotations: maps.Clone(m.Annotations),
		}
	}
	if stated.Spec != nil {
		p.Spec, p.whole = stated.Spec.DeepCopy(), true
	}
	if stated.ManagedDataSource != "" {
		p.Spec.ManagedDataSource = stated.ManagedDataSource
	}
	if stated.Registry != (v1alpha1.RegistrySource{}) {
		source := registrySource(stated.Registry)
		p.Spec.Template.Spec.Source = &cdiv1.DataVolumeSource{Registry: &source}
	}
	switch {
	case stated.Architectures != nil:
		return p.declaring(arch.Named(stated.Architectures...).String())
	case stated.Status != nil && stated.Status.OriginalSupportedArchitectures != "":
		return p.declaring(stated.Status.OriginalSupportedArchitectures)
	default:
		return p
	}
}

// registrySource converts the configuration's form into CDI's. An unset value becomes nil,
// because HCO compares the sources field by field.
func registrySource(r v1alpha1.RegistrySource) cdiv1.DataVolumeSourceRegistry {
	out := cdiv1.DataVolumeSourceRegistry{
		URL: pointer(r.URL), ImageStream: pointer(r.ImageStream), SecretRef: pointer(r.SecretRef), CertConfigMap: pointer(r.CertConfigMap),
	}
	if r.PullMethod != "" {
		method := cdiv1.RegistryPullMethod(r.PullMethod)
		out.PullMethod = &method
	}
	if r.Platform != nil {
		out.Platform = &cdiv1.PlatformOptions{Architecture: r.Platform.Architecture}
	}
	return out
}

func pointer(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// WithImages returns the table with what spec.overrides says about the images of its
// templates. If a template is known only from documentation, the override also states its
// built-in declared architectures.
func (t Table) WithImages(of func(Template) arch.Set) Table {
	return t.each(func(p Predefined) Predefined {
		if set := of(p.Template); set != nil {
			p.Image = set
			if p.From == Documentation {
				p = p.declaring(set.String())
			}
		}
		return p
	})
}

// pastDefault is a template that the upstream table had in some releases before 1.16 (hco
// assets/dataImportCronTemplates, branches release-1.6 to release-1.15).
type pastDefault struct {
	name, dataSource, url, size string
	first, last                 int
}

// pastDefaults has all past templates. The names come from the branches. The sources and
// sizes are those that public configurations use for these names.
var pastDefaults = []pastDefault{
	{"centos-7-image-cron", "centos7", "docker://quay.io/containerdisks/centos:7-2009", "10Gi", 6, 8},
	{"centos-stream8-image-cron", "centos-stream8", "docker://quay.io/containerdisks/centos-stream:8", "10Gi", 6, 8},
	{"centos-stream9-image-cron", "centos-stream9", "docker://quay.io/containerdisks/centos-stream:9", "10Gi", 6, 15},
	{"centos-stream10-image-cron", "centos-stream10", "docker://quay.io/containerdisks/centos-stream:10", "10Gi", 13, 15},
	{"fedora-image-cron", "fedora", "docker://quay.io/containerdisks/fedora:latest", "5Gi", 6, 15},
}

// The labels that the upstream table had from 1.9 to 1.12.
const (
	instancetypeLabel = "instancetype.kubevirt.io/default-instancetype"
	preferenceLabel   = "instancetype.kubevirt.io/default-preference"
)

// At returns the table as HCO of a release has it. Before 1.18 it omits the defaults that
// HCO adds when it loads the table. Before 1.16 it is the upstream table with the templates
// of that release, none of which has declared architectures. An undeclared release is the
// newest. A spec that the running HCO or a user states as a whole stays unchanged.
func (t Table) At(release v1alpha1.Release) Table {
	if t.settled {
		return t
	}
	if t.Name == "upstream" && !HasGate.In(release) {
		t = upstreamAt(release.Minor())
	}
	t.settled = true
	return t.each(func(p Predefined) Predefined {
		if p.Spec != nil && !p.whole {
			spec := *p.Spec
			spec.RetentionPolicy, spec.ImportsToKeep = retention(release)
			p.Spec = &spec
		}
		return p
	})
}

// UpgradedTo returns the table after an upgrade of HCO, if the new release has the same
// templates: it adds the defaults that are unset (hco golden_images.go: ensureDICTFields).
func (t Table) UpgradedTo(release v1alpha1.Release) Table {
	t.settled = true
	return t.each(func(p Predefined) Predefined {
		p.Spec = Completed(p.Spec, release)
		return p
	})
}

// Completed returns the spec of a template with the defaults that HCO of a release adds where
// they are unset: to predefined templates when it loads them, and to those of a CR when somebody
// writes it (hco golden_images.go, hyperConvergedMutator.go). A nil spec stays nil.
func Completed(spec *cdiv1.DataImportCronSpec, release v1alpha1.Release) *cdiv1.DataImportCronSpec {
	if spec == nil {
		return nil
	}
	out := *spec
	policy, keep := retention(release)
	if out.RetentionPolicy == nil {
		out.RetentionPolicy = policy
	}
	if out.ImportsToKeep == nil {
		out.ImportsToKeep = keep
	}
	return &out
}

// retention returns the defaults that HCO adds, from 1.18 on, to a predefined template when
// it loads the template (hco golden_images.go).
func retention(release v1alpha1.Release) (*cdiv1.DataImportCronRetentionPolicy, *int32) {
	if !SetsRetention.In(release) {
		return nil, nil
	}
	none, keep := cdiv1.DataImportCronRetainNone, int32(1)
	return &none, &keep
}

func upstreamAt(minor int) Table {
	var list []Predefined
	for _, one := range pastDefaults {
		if minor < one.first || minor > one.last {
			continue
		}
		p := upstream(one.name, one.dataSource, one.url, one.size, "")
		delete(p.Metadata.Annotations, ClaimAnnotation)
		if minor < BindsAtOnce.Since {
			delete(p.Metadata.Annotations, BindAnnotation)
		}
		p.Metadata.Labels = pastLabels(minor, one.dataSource)
		list = append(list, p)
	}
	return newTable("upstream", list...)
}

// pastLabels returns the instance type and the preference of a template.
func pastLabels(minor int, dataSource string) map[string]string {
	if minor < 9 || minor > 12 {
		return nil
	}
	instancetype, preference := "u1.medium", dataSource
	if minor == 9 {
		instancetype = "server.medium"
	}
	if dataSource == "centos-stream9" {
		preference = "centos.stream9"
		if minor < 11 {
			preference = "centos.9.stream"
		}
	}
	return map[string]string{instancetypeLabel: instancetype, preferenceLabel: preference}
}
