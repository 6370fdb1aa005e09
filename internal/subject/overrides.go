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

// Overrides is what spec.overrides says of images, by normalised reference.
type Overrides struct {
	list []v1alpha1.Override
	sets map[string]arch.Set
	used map[string]bool
}

// NewOverrides reads the overrides of a configuration. An image that is not a valid
// reference, or that two of them name, is an error.
func NewOverrides(list []v1alpha1.Override) (Overrides, finding.List) {
	o := Overrides{list: list, sets: map[string]arch.Set{}, used: map[string]bool{}}
	first := map[string]int{}
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
		if earlier, twice := first[ref.String()]; twice {
			found = append(found, finding.Finding{
				ID: finding.ConfigInvalid, Severity: finding.Error, Field: overridePath(i) + ".image", Current: override.Image,
				Text: fmt.Sprintf("%q and %q of %s are one image, %s: which one counts?", override.Image, list[earlier].Image, overridePath(earlier), ref),
				Do:   "remove one of them",
			})
			continue
		}
		first[ref.String()] = i
		o.sets[ref.String()] = arch.Named(override.Architectures...)
	}
	return o, found
}

// Find returns the architectures that the overrides state for an image, by its
// normalised reference.
func (o Overrides) Find(name string) (arch.Set, bool) {
	set, ok := o.sets[name]
	if ok {
		o.used[name] = true
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
		if o.matches(override, list) {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.OverrideUnused, Severity: finding.Warning, Field: overridePath(i),
			Text: fmt.Sprintf("the override of %q matches nothing in the input", override.Image+override.Template),
			Do:   "correct or remove it",
		})
	}
	return found
}

func (o Overrides) matches(override v1alpha1.Override, list []Subject) bool {
	if override.Image != "" {
		ref, err := imageref.Parse(override.Image)
		return err != nil || o.used[ref.String()] || slices.ContainsFunc(list, func(s Subject) bool { return s.imports(ref) })
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
		ref, err := imageref.Parse(imageOf(t, s.Streams))
		return err == nil && ref.String() == image.String()
	}
	return slices.ContainsFunc(s.CR.Templates, is) ||
		slices.ContainsFunc(s.Table.Templates, func(p hyperconverged.Predefined) bool { return is(p.Template) })
}

func overridePath(i int) string { return fmt.Sprintf("spec.overrides[%d]", i) }

// forTemplate returns what the overrides say of a template's image: by the
// template's name, else by the image. It returns nil where they say nothing.
func (o Overrides) forTemplate(t hyperconverged.Template, streams imagestream.Streams) arch.Set {
	for _, override := range o.list {
		if override.Template != "" && override.Template == t.Name() {
			return arch.Named(override.Architectures...)
		}
	}
	ref, err := imageref.Parse(imageOf(t, streams))
	if err != nil {
		return nil
	}
	return o.sets[ref.String()]
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
