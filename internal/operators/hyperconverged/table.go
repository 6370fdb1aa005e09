package hyperconverged

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

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

// NewTable returns a table of a user's own.
func NewTable(templates ...Predefined) Table { return newTable("own", templates...) }

// NewPredefined returns a predefined template of a user's own table. With an empty set, the
// template declares no architectures.
func NewPredefined(name, dataSource string, registry cdiv1.DataVolumeSourceRegistry, claim arch.Set) Predefined {
	p := predefined(name, dataSource, registry)
	p.From = Configuration
	return p.declaring(claim.String())
}

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
	out := Table{Name: t.Name, settled: t.settled}
	for _, p := range t.Templates {
		p.Template = p.Template.clone()
		p.Spec.Schedule = schedule
		out.Templates = append(out.Templates, p)
	}
	return out
}
