package expansion

import (
	"maps"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// The namespaces where SSP keeps golden images: a constant of each build (ssp
// internal/constants.go), which no field of a CR changes.
const (
	UpstreamNamespace  = "kubevirt-os-images"
	OpenShiftNamespace = "openshift-virtualization-os-images"
)

// Template is a DataImportCronTemplate as SSP gets it.
type Template struct {
	Metadata hyperconverged.TemplateMetadata
	Spec     cdiv1.DataImportCronSpec
}

// Claim returns the template's claim, "" if it has none: SSP makes no
// difference between the two.
func (t Template) Claim() string { return t.Metadata.Annotations[hyperconverged.ClaimAnnotation] }

// Cron is a DataImportCron, without the labels and annotations that say who
// made it.
type Cron struct {
	Name, Namespace     string
	Labels, Annotations map[string]string
	Spec                cdiv1.DataImportCronSpec
	// Architecture is what the cron imports for, "" for a plain one.
	Architecture arch.Arch
}

// Plain returns a template's cron as it is, without the claim, which SSP never
// copies. It shares what the template's spec points at, which nobody may change. It stands in the template's namespace, or in the given one if the
// template names none (ssp reconcile.go, lines 264 to 306).
func Plain(t Template, namespace string) Cron {
	c := Cron{
		Name: t.Metadata.Name, Namespace: t.Metadata.Namespace,
		Labels: maps.Clone(t.Metadata.Labels), Annotations: maps.Clone(t.Metadata.Annotations), Spec: t.Spec,
	}
	delete(c.Annotations, hyperconverged.ClaimAnnotation)
	if c.Namespace == "" {
		c.Namespace = namespace
	}
	return c
}

// For returns a template's cron for one architecture: its name and its
// DataSource with the architecture at the end, the two labels, and the platform
// to import, where the source is a registry (ssp reconcile.go, lines 385 to
// 406).
func For(t Template, a arch.Arch, namespace string) Cron {
	c := Plain(t, namespace)
	if c.Labels == nil {
		c.Labels = map[string]string{}
	}
	c.Architecture = a
	c.Name = WithArchitecture(c.Name, a)
	c.Labels[cdi.ArchitectureLabel] = string(a)
	c.Labels[cdi.DataSourceLabel] = t.Spec.ManagedDataSource
	c.Spec.ManagedDataSource = WithArchitecture(t.Spec.ManagedDataSource, a)
	if source := c.Spec.Template.Spec.Source; source != nil && source.Registry != nil {
		source = source.DeepCopy() // the rest of the spec is shared, and nobody writes into it
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
