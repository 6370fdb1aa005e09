package expansion

import (
	"maps"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

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

// Plain returns a template's cron unchanged, but without the declared architectures, which
// SSP never copies. The cron shares pointers with the template's spec, so nothing may
// change what they point at. Its namespace is the template's, or the given one if the
// template has none (ssp reconcile.go, lines 264 to 306).
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

// For returns a template's cron for one architecture. Its name and its DataSource end with
// the architecture, and it has the two labels. If the source is a registry, the cron names
// the platform to import (ssp reconcile.go, lines 385 to 406).
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
