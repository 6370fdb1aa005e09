package hyperconverged

import (
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
)

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
		if p.From == LiveCR && !seen[p.Name()] {
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
	if m := stated.Metadata; m != nil {
		p.Metadata = &TemplateMetadata{
			Name: stated.TemplateName(), Namespace: m.Namespace, Labels: cloneMap(m.Labels), Annotations: cloneMap(m.Annotations),
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
	out := Table{Name: t.Name, settled: t.settled}
	for _, p := range t.Templates {
		if set := of(p.Template); set != nil {
			p.Image = set
			if p.From == Documentation {
				p = p.declaring(set.String())
			}
		}
		out.Templates = append(out.Templates, p)
	}
	return out
}
