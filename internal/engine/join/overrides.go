package join

import (
	"fmt"

	"k8s.io/utils/ptr"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// UnusedOverrides reports overrides that name a template that no CR has. An override also matches
// a template that a user disabled, because it takes effect when the template is enabled again.
func UnusedOverrides(list []Joined, overrides []v1alpha1.Override) finding.List {
	if len(list) == 0 {
		return nil
	}
	names := map[string]bool{}
	for _, s := range list {
		for _, t := range s.templates() {
			names[t.Name()] = true
		}
	}
	var found finding.List
	for i, override := range overrides {
		if override.Template != "" && !names[override.Template] {
			found = append(found, finding.Finding{
				ID: finding.OverrideUnused, Severity: finding.Warning, Field: fmt.Sprintf("spec.overrides[%d]", i),
				Text: fmt.Sprintf("the configuration states the architectures of template %q, and no CR of the input has this template", override.Template),
				Do:   "correct or remove the entry", Alike: "overrides",
			})
		}
	}
	return found
}

// ImagesOf returns the images that the predefined templates and those of the CRs import.
// Disabled templates count.
func ImagesOf(list []Joined) map[imageref.Reference]bool {
	out := map[imageref.Reference]bool{}
	for _, s := range list {
		for _, t := range s.templates() {
			if ref, err := s.References.Parse(imageOf(t, s.Streams)); err == nil {
				out[ref] = true
			}
		}
	}
	return out
}

// templates returns the templates of the CR and the predefined ones.
func (s Joined) templates() []hyperconverged.Template {
	var out []hyperconverged.Template
	out = append(out, s.CR.Templates...)
	for _, p := range s.Table.Templates {
		out = append(out, p.Template)
	}
	return out
}

// statedFor returns the architectures that a person states for a template's image: a flag by the
// image, or else the configuration by the template's name or by the image. It returns nil if nobody
// states any.
func statedFor(t hyperconverged.Template, in input.Input, spec *settings.Settings) arch.Set {
	ref, err := in.References.Parse(imageOf(t, in.Streams))
	if override := plan.OverrideFor(spec.Overrides, t.Name()); override != nil && !(err == nil && spec.Images.ByFlag(ref)) {
		return arch.Named(override.Architectures...)
	}
	if err != nil {
		return nil
	}
	set, _ := spec.Images.Find(ref)
	return set
}

// imageOf returns the reference of the image that a template imports, or "" if nothing
// in the input names it.
func imageOf(t hyperconverged.Template, streams imagestream.Streams) string {
	source := t.Registry()
	if source == nil {
		return ""
	}
	if stream := ptr.Deref(source.ImageStream, ""); ptr.Deref(source.URL, "") == "" && stream != "" {
		followed, _ := streams.Follow(stream, streams.Namespaces()...)
		return followed.Reference
	}
	return ptr.Deref(source.URL, "")
}
