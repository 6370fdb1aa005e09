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

// Overrides is what spec.overrides says of images.
type Overrides struct {
	list []v1alpha1.Override
	refs []imageref.Reference // of each, zero where it names no valid image
	sets map[imageref.Reference]arch.Set
	used map[imageref.Reference]bool
}

// NewOverrides reads the overrides of a configuration. An image that is not a valid
// reference, or that two of them name, is an error.
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

// Unused reports overrides that match no image and no template: most often a
// word misspelt, and then the registry was believed after all. A template that a
// person disabled is matched as well: its override waits for it.
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

// matches reports whether an override is about something in the input. Of one that
// names no valid image there is another finding.
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

// imports reports whether a template of the CR, be it disabled, or a predefined
// one imports an image.
func (s Subject) imports(image imageref.Reference) bool {
	is := func(t hyperconverged.Template) bool {
		ref, err := s.References.Parse(imageOf(t, s.Streams))
		return err == nil && ref == image
	}
	return slices.ContainsFunc(s.CR.Templates, is) ||
		slices.ContainsFunc(s.Table.Templates, func(p hyperconverged.Predefined) bool { return is(p.Template) })
}

func overridePath(i int) string { return fmt.Sprintf("spec.overrides[%d]", i) }

// forTemplate returns what the overrides say of a template's image: by the
// template's name, else by the image. It returns nil where they say nothing.
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

// imageOf returns the reference of the image that a template imports, "" where
// nothing in the input names it.
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
