package settings

import (
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// StatedImage is an image whose architectures a person states.
type StatedImage struct {
	Image         string
	Architectures arch.Set
	// Object and Field are where a configuration states it. A flag has no field.
	Object finding.Object
	Field  string
	// MayBeUnused says that the list is for the pods of many inputs, which do not have all of it.
	MayBeUnused bool

	ref imageref.Reference // zero if the text names no valid image
}

// Images is the table of the images whose architectures a person states. It counts alike for
// templates, machines and pods. The zero value is an empty table.
type Images struct {
	list []StatedImage
	// counts has the statements that count, by image.
	counts map[imageref.Reference]StatedImage
}

// NewImages makes the table. A flag wins over the configuration. NewImages reports an image that
// is not a valid reference, and one of which the configuration states two different things.
func NewImages(list []StatedImage) (Images, finding.List) {
	out := Images{list: slices.Clone(list), counts: map[imageref.Reference]StatedImage{}}
	var found finding.List
	for i, one := range list {
		ref, err := imageref.Parse(one.Image)
		if err != nil {
			found = append(found, one.invalid(err.Error(), "correct the reference"))
			continue
		}
		out.list[i].ref = ref
		first, twice := out.counts[ref]
		switch {
		case !twice, one.byFlag() && !first.byFlag():
			out.counts[ref] = one
		case one.byFlag() == first.byFlag() && !one.Architectures.Equal(first.Architectures):
			found = append(found, one.invalid(
				fmt.Sprintf("%q and %q of %s name the same image, %s, and state different architectures", one.Image, first.Image, first.Field, ref),
				"remove one of them"))
		}
	}
	return out, found
}

// byFlag reports whether a flag states the image.
func (s StatedImage) byFlag() bool { return s.Field == "" }

// invalid reports that a statement is not valid.
func (s StatedImage) invalid(text, do string) finding.Finding {
	return finding.Finding{
		ID: finding.ConfigInvalid, Severity: finding.Error, Object: s.Object, Field: s.Field, Current: s.Image, Text: text, Do: do,
	}
}

// None reports whether nobody states anything.
func (i Images) None() bool { return len(i.list) == 0 }

// Find returns the architectures that a person states for an image.
func (i Images) Find(image imageref.Reference) (arch.Set, bool) {
	one, ok := i.counts[image]
	return one.Architectures, ok
}

// ByFlag reports whether a flag states the architectures of an image. It wins also over what the
// configuration states for a template by its name.
func (i Images) ByFlag(image imageref.Reference) bool {
	one, ok := i.counts[image]
	return ok && one.byFlag()
}

// Unused reports the images that nothing in the input has. Mostly the user misspelled a word, and
// goldenarch used the registry's answer. Another finding reports an invalid reference.
func (i Images) Unused(has map[imageref.Reference]bool) finding.List {
	var found finding.List
	for _, one := range i.list {
		if one.ref == (imageref.Reference{}) || has[one.ref] || one.MayBeUnused {
			continue
		}
		f := finding.Finding{
			ID: finding.OverrideUnused, Severity: finding.Warning, Object: one.Object, Field: one.Field, Alike: "overrides",
			Text: fmt.Sprintf("the configuration states the architectures of %q, and no template, machine or pod of the input has this image", one.Image),
			Do:   "correct or remove the entry",
		}
		if one.byFlag() {
			f.Text = fmt.Sprintf("the flag --image states the architectures of %q, and no template, machine or pod of the input has this image", one.Image)
			f.Do, f.Alike = "correct the reference, or leave the flag out", ""
		}
		found = append(found, f)
	}
	return found
}
