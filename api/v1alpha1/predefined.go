package v1alpha1

import (
	"cmp"
	"fmt"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// PredefinedTemplate is one built-in template of the running HCO. It is either
// the whole template, as status.dataImportCronTemplates of the live CR has it
// (metadata, spec, status), or the short form (name, managedDataSource, registry,
// architectures).
type PredefinedTemplate struct {
	// The name of the template, unless `metadata` has it.
	Name string `json:"name,omitempty"`
	// The DataSource that the template keeps.
	ManagedDataSource string `json:"managedDataSource,omitempty"`
	// The `source.registry` of a DataImportCron, as in CDI.
	Registry RegistrySource `json:"registry,omitempty"`
	// The architectures that the built-in template declares; `[]` if none.
	Architectures []string `json:"architectures,omitempty"`
	// The metadata of the whole template.
	Metadata *ObjectMeta `json:"metadata,omitempty"`
	// The spec of the whole template, as in CDI's DataImportCron; instead of
	// `managedDataSource` and `registry`.
	Spec *cdiv1.DataImportCronSpec `json:"spec,omitempty"`
	// HCO's status of the template in the live CR: `commonTemplate` is true, `modified` is not,
	// and `originalSupportedArchitectures` wins over the annotation, which HCO filters.
	Status *PredefinedStatus `json:"status,omitempty"`
}

// PredefinedStatus is HCO's status of a template in the live CR.
type PredefinedStatus struct {
	CommonTemplate bool `json:"commonTemplate,omitempty"`
	// Modified says that the template is not HCO's own.
	Modified bool `json:"modified,omitempty"`
	// OriginalSupportedArchitectures are the declared architectures before HCO
	// filters them.
	OriginalSupportedArchitectures string              `json:"originalSupportedArchitectures,omitempty"`
	Conditions                     []map[string]string `json:"conditions,omitempty"`
}

// TemplateName returns the name of the template, or "" if it has none.
func (t PredefinedTemplate) TemplateName() string {
	if t.Metadata != nil {
		return cmp.Or(t.Metadata.Name, t.Name)
	}
	return t.Name
}

func checkPredefinedTemplates(errs *Errors, templates []PredefinedTemplate) {
	seen := map[string]bool{}
	for i, t := range templates {
		at := fmt.Sprintf("spec.predefinedTemplates[%d]", i)
		field := at + ".name"
		if t.Metadata != nil && t.Metadata.Name != "" {
			field = at + ".metadata.name"
		}
		switch name := t.TemplateName(); {
		case name == "":
			errs.add(field, "is empty, expected the name of the template")
		case t.Name != "" && name != t.Name:
			errs.add(at+".name", "is %q, but metadata.name is %q: expected one name", t.Name, name)
		case seen[name]:
			errs.add(field, "duplicate name %q", name)
		}
		seen[t.TemplateName()] = true
		if t.Spec != nil && t.ManagedDataSource != "" {
			errs.add(at+".managedDataSource", "belongs to the short form, but there is a spec: expected it in spec.managedDataSource only")
		}
		if t.Spec != nil && t.Registry != (RegistrySource{}) {
			errs.add(at+".registry", "belongs to the short form, but there is a spec: expected it in spec.template.spec.source.registry only")
		}
		if t.Status != nil && (t.Status.Modified || !t.Status.CommonTemplate) {
			errs.add(at+".status", "describes a template of the CR, not one of HCO: expected commonTemplate: true, and modified: false or none")
		}
		checkArchitectures(errs, at+".architectures", t.Architectures)
	}
}
