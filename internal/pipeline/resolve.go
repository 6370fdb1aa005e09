package pipeline

import (
	"context"
	"errors"
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// resolve asks for all images of all CRs at once, each reference once. What
// spec.overrides says of an image is believed, and the image not asked for.
func resolve(ctx context.Context, r registry.Resolver, list []subject.Subject, spec *v1alpha1.GoldenImagesSpec, l locks) (plan.Answers, finding.List) {
	answers := plan.Answers{}
	believed, found := subject.NewOverrides(spec.Overrides)
	var refs []imageref.Reference
	asked := map[string][]string{} // the texts that name a reference
	for _, text := range references(list) {
		ref, err := imageref.Parse(text)
		if err != nil {
			answers[text] = plan.Answer{Err: err, Invalid: true}
			continue
		}
		name := ref.String()
		if architectures, ok := believed.Find(name); ok {
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
				answers[text] = plan.Answer{Platforms: result.Image.Platforms, Err: result.Err, Lock: l.commandFor(result.Err)}
			}
		}
	}
	return answers, append(found, believed.Unused(list)...)
}

// references returns the references of all questions, sorted, each once.
func references(list []subject.Subject) []string {
	var out []string
	for _, s := range list {
		for _, q := range s.Questions {
			if q.Reference != "" && q.Problem == nil {
				out = append(out, q.Reference)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

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

func (noResolver) Resolve(context.Context, imageref.Reference) (registry.Image, error) {
	return registry.Image{}, errNoResolver
}
