package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// resolve asks for all images of all CRs at once, each reference once. What
// spec.overrides says of an image is believed, and the image not asked for.
func resolve(ctx context.Context, r registry.Resolver, list []subject, spec *v1alpha1.GoldenImagesSpec, l locks) (plan.Answers, finding.List) {
	answers := plan.Answers{}
	believed, found := newOverrides(spec.Overrides)
	var refs []registry.Reference
	asked := map[string][]string{} // the texts that name a reference
	for _, text := range references(list) {
		ref, err := registry.ParseReference(text)
		if err != nil {
			answers[text] = plan.Answer{Err: err, Invalid: true}
			continue
		}
		name := ref.String()
		if architectures, ok := believed.find(name); ok {
			answers[text] = plan.Answer{Platforms: platforms(architectures)}
			continue
		}
		if asked[name] == nil {
			refs = append(refs, ref)
		}
		asked[name] = append(asked[name], text)
	}
	found = append(found, l.unlocked(refs)...)
	if len(refs) > 0 {
		ctx, cancel := context.WithTimeout(ctx, spec.Registry.RunTimeout())
		defer cancel()
		for _, result := range registry.ResolveAll(ctx, r, refs) {
			for _, text := range asked[result.Reference.String()] {
				answers[text] = plan.Answer{Platforms: result.Image.Platforms, Err: result.Err, Lock: l.lacks(result.Err)}
			}
		}
	}
	return answers, append(found, believed.unused(list)...)
}

// references returns the references of all questions, sorted, each once.
func references(list []subject) []string {
	var out []string
	for _, s := range list {
		for _, q := range s.questions {
			if q.Reference != "" && q.Problem == nil {
				out = append(out, q.Reference)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// overrides is what spec.overrides says of images, by normalised reference.
type overrides struct {
	list []v1alpha1.Override
	sets map[string]arch.Set
	used map[string]bool
}

func newOverrides(list []v1alpha1.Override) (overrides, finding.List) {
	o := overrides{list: list, sets: map[string]arch.Set{}, used: map[string]bool{}}
	first := map[string]int{}
	var found finding.List
	for i, override := range list {
		if override.Image == "" {
			continue
		}
		ref, err := registry.ParseReference(override.Image)
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

func (o overrides) find(name string) (arch.Set, bool) {
	set, ok := o.sets[name]
	if ok {
		o.used[name] = true
	}
	return set, ok
}

// unused tells of overrides that match no image and no template: most often a
// word misspelt, and then the registry was believed after all. A template that a
// person disabled is matched as well: its override waits for it.
func (o overrides) unused(list []subject) finding.List {
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

func (o overrides) matches(override v1alpha1.Override, list []subject) bool {
	if override.Image != "" {
		ref, err := registry.ParseReference(override.Image)
		return err != nil || o.used[ref.String()] || slices.ContainsFunc(list, func(s subject) bool { return s.imports(ref) })
	}
	return slices.ContainsFunc(list, func(s subject) bool {
		_, predefined := s.Table.Find(override.Template)
		return predefined || slices.ContainsFunc(s.CR.Templates, func(t hyperconverged.Template) bool {
			return t.Name() == override.Template
		})
	})
}

// imports reports whether a template of the CR, be it disabled, or a predefined
// one imports an image.
func (s subject) imports(image registry.Reference) bool {
	is := func(t hyperconverged.Template) bool {
		ref, err := registry.ParseReference(imageOf(t, s.Streams))
		return err == nil && ref.String() == image.String()
	}
	return slices.ContainsFunc(s.CR.Templates, is) ||
		slices.ContainsFunc(s.Table.Templates, func(p hyperconverged.Predefined) bool { return is(p.Template) })
}

func pointed(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func overridePath(i int) string { return fmt.Sprintf("spec.overrides[%d]", i) }

func platforms(set arch.Set) arch.Platforms {
	out := make(arch.Platforms, len(set))
	for i, a := range set {
		out[i] = arch.Platform{OS: "linux", Architecture: a}
	}
	return out
}

// errNoResolver is what an image gets that nothing can be asked for.
var errNoResolver = errors.New("no registry can be asked")

// noResolver answers nothing.
type noResolver struct{}

func (noResolver) Resolve(context.Context, registry.Reference) (registry.Image, error) {
	return registry.Image{}, errNoResolver
}
