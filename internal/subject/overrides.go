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
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Overrides is what spec.overrides says about images.
type Overrides struct {
	list []v1alpha1.Override
	refs []imageref.Reference // one for each override; zero if it names no valid image
	sets map[imageref.Reference]arch.Set
	used map[imageref.Reference]bool
	// flags is how many of them, the last ones, flags state.
	flags int
}

// NewOverrides reads the overrides of a configuration. It reports an error for an image
// that is not a valid reference, or that two overrides name. Flags state the last ones, as
// many as flags says: they win over the others.
func NewOverrides(list []v1alpha1.Override, flags int) (Overrides, finding.List) {
	o := Overrides{
		list: list, refs: make([]imageref.Reference, len(list)), sets: map[imageref.Reference]arch.Set{}, used: map[imageref.Reference]bool{},
		flags: flags,
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
		if earlier, twice := first[ref]; twice && i < len(list)-flags {
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
	has := usedBy(list)
	for i, override := range o.list {
		if o.matches(i, has) {
			continue
		}
		if i >= len(o.list)-o.flags {
			found = append(found, finding.Finding{
				ID: finding.OverrideUnused, Severity: finding.Warning,
				Text: fmt.Sprintf("the flag --image states the architectures of %q, and no template imports it", override.Image),
				Do:   "correct the reference, or leave the flag out",
			})
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.OverrideUnused, Severity: finding.Warning, Field: overridePath(i),
			Text: fmt.Sprintf("the override for %q matches no image and no template", override.Image+override.Template),
			Do:   "correct or remove the override", Alike: "overrides",
		})
	}
	return found
}

// usable are the names of templates and the images that an override can be for.
type usable struct {
	names  map[string]bool
	images map[imageref.Reference]bool
}

// usedBy returns what the predefined templates and those of the CRs are called and import.
// Disabled templates count.
func usedBy(list []Subject) usable {
	out := usable{names: map[string]bool{}, images: map[imageref.Reference]bool{}}
	add := func(s Subject, t hyperconverged.Template) {
		out.names[t.Name()] = true
		if ref, err := s.References.Parse(imageOf(t, s.Streams)); err == nil {
			out.images[ref] = true
		}
	}
	for _, s := range list {
		for _, t := range s.CR.Templates {
			add(s, t)
		}
		for _, p := range s.Table.Templates {
			add(s, p.Template)
		}
	}
	return out
}

// matches reports whether an override matches something in the input. If an override
// names no valid image, another finding reports it.
func (o Overrides) matches(i int, has usable) bool {
	override, ref := o.list[i], o.refs[i]
	if override.Image != "" {
		return ref == (imageref.Reference{}) || o.used[ref] || has.images[ref]
	}
	return has.names[override.Template]
}

func overridePath(i int) string { return fmt.Sprintf("spec.overrides[%d]", i) }

// forTemplate returns the architectures that the overrides state for a template's
// image: a flag by the image, or else an override by the template's name or by the image. It
// returns nil if they state none.
func (o Overrides) forTemplate(t hyperconverged.Template, images Images) arch.Set {
	ref, err := images.References.Parse(imageOf(t, images.Streams))
	if err == nil && slices.Contains(o.refs[len(o.refs)-o.flags:], ref) {
		return o.sets[ref]
	}
	if override := plan.OverrideFor(o.list, t.Name()); override != nil {
		return arch.Named(override.Architectures...)
	}
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
