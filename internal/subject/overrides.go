package subject

import (
	"fmt"
	"slices"

	"k8s.io/utils/ptr"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Overrides is what spec.overrides says about images.
type Overrides struct {
	list []v1alpha1.Override
	refs []imageref.Reference // one for each override; zero if it names no valid image
	sets map[imageref.Reference]arch.Set
	used map[imageref.Reference]bool
}

// NewOverrides reads the overrides of a configuration. It reports an error for an image
// that is not a valid reference, or that two overrides name.
func NewOverrides(list []v1alpha1.Override) (Overrides, finding.List) {
	o := Overrides{
		list: list, refs: make([]imageref.Reference, len(list)), sets: map[imageref.Reference]arch.Set{}, used: map[imageref.Reference]bool{},
	}
	first := map[imageref.Reference]int{}
	var found finding.List
	for i, override := range list {
		if override.Image == "" {
			continue
		}
		ref, err := imageref.Parse(override.Image)
		if err != nil {
			found = append(found, finding.Finding{
				ID: finding.ConfigInvalid, Severity: finding.Error, Field: overridePath(i) + ".image", Current: override.Image,
				Text: err.Error(), Do: "correct the reference",
			})
			continue
		}
		o.refs[i] = ref
		if earlier, twice := first[ref]; twice {
			found = append(found, finding.Finding{
				ID: finding.ConfigInvalid, Severity: finding.Error, Field: overridePath(i) + ".image", Current: override.Image,
				Text: fmt.Sprintf("%q and %q of %s name the same image, %s", override.Image, list[earlier].Image, overridePath(earlier), ref),
				Do:   "remove one of them",
			})
			continue
		}
		first[ref] = i
		o.sets[ref] = arch.Named(override.Architectures...)
	}
	return o, found
}

// Find returns the architectures that the overrides state for an image.
func (o Overrides) Find(image imageref.Reference) (arch.Set, bool) {
	set, ok := o.sets[image]
	if ok {
		o.used[image] = true
	}
	return set, ok
}

// Unused reports overrides that match no image and no template. Mostly the user
// misspelled a word, and goldenarch used the registry's answer. An override also
// matches a template that a user disabled, because it takes effect when the template is
// enabled again.
func (o Overrides) Unused(list []Subject) finding.List {
	if len(list) == 0 {
		return nil
	}
	var found finding.List
	for i, override := range o.list {
		if o.matches(i, list) {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.OverrideUnused, Severity: finding.Warning, Field: overridePath(i),
			Text: fmt.Sprintf("the override for %q matches no image and no template", override.Image+override.Template),
			Do:   "correct or remove the override",
		})
	}
	return found
}

// matches reports whether an override matches something in the input. If an override
// names no valid image, another finding reports it.
func (o Overrides) matches(i int, list []Subject) bool {
	override, ref := o.list[i], o.refs[i]
	if override.Image != "" {
		return ref == (imageref.Reference{}) || o.used[ref] || slices.ContainsFunc(list, func(s Subject) bool { return s.imports(ref) })
	}
	return slices.ContainsFunc(list, func(s Subject) bool {
		_, predefined := s.Table.Find(override.Template)
		return predefined || slices.ContainsFunc(s.CR.Templates, func(t hyperconverged.Template) bool {
			return t.Name() == override.Template
		})
	})
}

// imports reports whether a predefined template, or one of the CR, imports an image.
// Disabled templates count.
func (s Subject) imports(image imageref.Reference) bool {
	is := func(t hyperconverged.Template) bool {
		ref, err := s.References.Parse(imageOf(t, s.Streams))
		return err == nil && ref == image
	}
	return slices.ContainsFunc(s.CR.Templates, is) ||
		slices.ContainsFunc(s.Table.Templates, func(p hyperconverged.Predefined) bool { return is(p.Template) })
}

func overridePath(i int) string { return fmt.Sprintf("spec.overrides[%d]", i) }

// forTemplate returns the architectures that the overrides state for a template's
// image: by the template's name, or else by the image. It returns nil if they state
// none.
func (o Overrides) forTemplate(t hyperconverged.Template, images Images) arch.Set {
	for _, override := range o.list {
		if override.Template != "" && override.Template == t.Name() {
			return arch.Named(override.Architectures...)
		}
	}
	ref, err := images.References.Parse(imageOf(t, images.Streams))
	if err != nil {
		return nil
	}
	return o.sets[ref]
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
