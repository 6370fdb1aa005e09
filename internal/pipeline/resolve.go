package pipeline

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// resolve resolves all images of all CRs at once, each image once. It does not query an
// image whose architectures spec.overrides states.
func resolve(ctx context.Context, r registry.Resolver, list []subject.Subject, overrides subject.Overrides,
	spec *settings.Settings, l locks,
) (plan.Answers, finding.List) {
	answers := plan.Answers{}
	var refs []imageref.Reference
	for _, image := range imagesOf(list) {
		if architectures, ok := overrides.Find(image); ok {
			answers[image] = plan.Answer{Platforms: platforms(architectures)}
			continue
		}
		refs = append(refs, image)
	}
	found := append(l.unlocked(refs), l.untrusted(refs)...)
	if len(refs) > 0 {
		ctx, cancel := context.WithTimeout(ctx, spec.Registry.RunTimeout())
		defer cancel()
		for _, result := range registry.ResolveAll(ctx, r, refs) {
			answers[result.Reference] = plan.Answer{Platforms: result.Image.Platforms, Err: result.Err, Lock: l.commandFor(result.Err), Hint: hintOf(result.Err)}
		}
	}
	return answers, append(found, overrides.Unused(list)...)
}

// asks reports whether a question names an image, even by a text that is not a valid
// reference.
func asks(list []subject.Subject) bool {
	return slices.ContainsFunc(list, func(s subject.Subject) bool {
		return slices.ContainsFunc(s.Questions, func(q plan.Question) bool { return q.Text != "" && q.Problem == nil })
	})
}

// imagesOf returns the images of all questions in the order of their texts, each once.
func imagesOf(list []subject.Subject) []imageref.Reference {
	var questions []plan.Question
	for _, s := range list {
		for _, q := range s.Questions {
			if q.Image != (imageref.Reference{}) && q.Problem == nil {
				questions = append(questions, q)
			}
		}
	}
	slices.SortStableFunc(questions, func(a, b plan.Question) int { return strings.Compare(a.Text, b.Text) })
	var out []imageref.Reference
	seen := map[imageref.Reference]bool{}
	for _, q := range questions {
		if !seen[q.Image] {
			seen[q.Image] = true
			out = append(out, q.Image)
		}
	}
	return out
}

func platforms(set arch.Set) arch.Platforms {
	out := make(arch.Platforms, len(set))
	for i, a := range set {
		out[i] = arch.Platform{OS: "linux", Architecture: a}
	}
	return out
}

// hintOf returns the fix at the end of a registry's error.
func hintOf(err error) string {
	if failed, ok := errors.AsType[*registry.Error](err); ok {
		return failed.Hint
	}
	return ""
}

// errNoResolver is the error of an image if goldenarch has no resolver.
var errNoResolver = errors.New("goldenarch has no access to registries here")

// noResolver resolves no image.
type noResolver struct{}

func (noResolver) Resolve(context.Context, imageref.Reference) (registry.Image, error) {
	return registry.Image{}, errNoResolver
}
