package hyperconverged

import (
	"maps"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// Template is a DataImportCronTemplate (DICT): an entry of the CR's list or of
// HCO's table.
type Template struct {
	// Index is the position in the CR's list, or -1 for a template of the table.
	Index int
	// Metadata is what the CRD keeps of the metadata; nil if the entry has none.
	Metadata *TemplateMetadata
	// Spec is nil in an entry that only disables a predefined template.
	Spec *cdiv1.DataImportCronSpec
}

// TemplateMetadata is the metadata that the CRD of HyperConverged keeps in a template. The
// API server prunes all other metadata.
type TemplateMetadata struct {
	Name        string            `json:"name,omitempty"`
	Namespace   string            `json:"namespace,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Finalizers  []string          `json:"finalizers,omitempty"`
}

// Name returns the template's name, "" if it has none.
func (t Template) Name() string {
	if t.Metadata == nil {
		return ""
	}
	return t.Metadata.Name
}

// Annotation returns the value of an annotation and whether it exists.
func (t Template) Annotation(key string) (string, bool) {
	if t.Metadata == nil {
		return "", false
	}
	value, ok := t.Metadata.Annotations[key]
	return value, ok
}

// Declared returns the template's declared architectures and whether it has any.
func (t Template) Declared() (arch.Claim, bool) {
	value, ok := t.Annotation(ClaimAnnotation)
	return arch.Claim(value), ok
}

// HasWrittenClaim reports whether goldenarch wrote the declared architectures: its record
// in [WrittenAnnotation] has the same value.
func (t Template) HasWrittenClaim() bool {
	claim, has := t.Annotation(ClaimAnnotation)
	mark, marked := t.Annotation(WrittenAnnotation)
	return has && marked && claim == mark
}

// Enabled reports whether HCO treats the template as enabled: the annotation is missing, or
// "true" in any case (hco golden_images.go: isDataImportCronTemplateEnabled).
func (t Template) Enabled() bool {
	value, ok := t.Annotation(EnableAnnotation)
	return !ok || strings.EqualFold(value, "true")
}

// DisabledByUs reports whether goldenarch, and not a person, disabled the template.
func (t Template) DisabledByUs() bool {
	_, marked := t.Annotation(DisabledAnnotation)
	return marked && !t.Enabled()
}

// Source returns the source of the template's image, nil if it has none.
func (t Template) Source() *cdiv1.DataVolumeSource {
	if t.Spec == nil {
		return nil
	}
	return t.Spec.Template.Spec.Source
}

// Registry returns the registry source; nil if the template has another source or none.
func (t Template) Registry() *cdiv1.DataVolumeSourceRegistry {
	if source := t.Source(); source != nil {
		return source.Registry
	}
	return nil
}

// ManagedDataSource returns the name of the DataSource that the template
// fills, "" if it names none.
func (t Template) ManagedDataSource() string {
	if t.Spec == nil {
		return ""
	}
	return t.Spec.ManagedDataSource
}

// clone returns a deep copy, so that merging never changes the CR's model.
func (t Template) clone() Template {
	out := t.withMetadata()
	out.Spec = t.Spec.DeepCopy()
	return out
}

// withMetadata returns a copy with its own metadata that shares the spec.
func (t Template) withMetadata() Template {
	out := Template{Index: t.Index, Spec: t.Spec}
	if t.Metadata != nil {
		m := *t.Metadata
		m.Labels = maps.Clone(m.Labels)
		m.Annotations = maps.Clone(m.Annotations)
		out.Metadata = &m
	}
	return out
}

// SourceKind names the kind of a template's source as CDI's API does: "registry", "http",
// "pvc". It returns "" without a source, and "none" for an empty source.
func SourceKind(source *cdiv1.DataVolumeSource) string {
	if source == nil {
		return ""
	}
	for _, kind := range []struct {
		name string
		set  bool
	}{
		{"registry", source.Registry != nil},
		{"http", source.HTTP != nil},
		{"s3", source.S3 != nil},
		{"gcs", source.GCS != nil},
		{"pvc", source.PVC != nil},
		{"snapshot", source.Snapshot != nil},
		{"upload", source.Upload != nil},
		{"blank", source.Blank != nil},
		{"imageio", source.Imageio != nil},
		{"vddk", source.VDDK != nil},
	} {
		if kind.set {
			return kind.name
		}
	}
	return "none"
}
