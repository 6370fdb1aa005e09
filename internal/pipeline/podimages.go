package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// podImages has the images of pods: what is known about them, and which of them to
// query.
type podImages struct {
	// answers are the known architectures, by the text that names an image.
	answers map[string]workload.Answer
	// refs are the images to query, each once; texts are the texts that name them.
	refs  []imageref.Reference
	texts map[imageref.Reference][]string
	// stated are the images whose architectures the configuration states.
	stated []imageref.Reference
	found  finding.List
	// known has the references of all texts, each read once.
	known *imageref.Parsed
}

// questionsOf sorts the texts that name images: not valid, ignored, stated, or to
// query.
func questionsOf(texts []string, spec v1alpha1.WorkloadArchitecturesSpec) podImages {
	q := podImages{answers: map[string]workload.Answer{}, texts: map[imageref.Reference][]string{}, known: &imageref.Parsed{}}
	stated := q.readStated(spec.ImageArchitectures)
	ignored := q.readIgnored(spec.IgnoreImages)
	for _, text := range texts {
		ref, err := q.known.Parse(text)
		if err != nil {
			q.answers[text] = workload.Answer{Err: err, Do: "correct the reference"}
			continue
		}
		set, is := stated[ref]
		switch {
		case ignored(ref):
			q.answers[text] = workload.Answer{Ignored: true}
		case is:
			q.stated = append(q.stated, ref)
			q.answers[text] = workload.Answer{Architectures: set, Stated: true}
		default:
			if q.texts[ref] == nil {
				q.refs = append(q.refs, ref)
			}
			q.texts[ref] = append(q.texts[ref], text)
		}
	}
	return q
}

// readStated reads imageArchitectures, by normalized reference.
func (q *podImages) readStated(list map[string][]string) map[imageref.Reference]arch.Set {
	out := map[imageref.Reference]arch.Set{}
	for text, names := range list {
		ref, err := q.known.Parse(text)
		if err != nil {
			q.found = append(q.found, wrongReference("spec.imageArchitectures["+text+"]", text, err))
			continue
		}
		out[ref] = arch.Named(names...)
	}
	return out
}

// readIgnored reads ignoreImages. It returns a function that reports whether an image
// is ignored, by its reference or by its repository.
func (q *podImages) readIgnored(list []string) func(imageref.Reference) bool {
	var exact []imageref.Reference
	var repositories []string
	for i, text := range list {
		ref, err := q.known.Parse(text)
		if err != nil {
			q.found = append(q.found, wrongReference(fmt.Sprintf("spec.ignoreImages[%d]", i), text, err))
			continue
		}
		if last := text[strings.LastIndex(text, "/")+1:]; strings.ContainsAny(last, ":@") {
			exact = append(exact, ref)
		} else {
			repositories = append(repositories, ref.Host()+"/"+ref.Repository())
		}
	}
	return func(ref imageref.Reference) bool {
		return slices.Contains(exact, ref) || slices.Contains(repositories, ref.Host()+"/"+ref.Repository())
	}
}

func wrongReference(field, text string, err error) finding.Finding {
	return finding.Finding{
		ID: finding.ConfigInvalid, Severity: finding.Error, Field: field, Current: text, Text: err.Error(), Do: "correct the reference",
	}
}

// sharedCauses are the causes that several images of one registry have.
var sharedCauses = []error{
	registry.ErrUnreachable, registry.ErrDenied, registry.ErrNotFound, registry.ErrBusy, registry.ErrServer, registry.ErrCredentials, registry.ErrBlocked,
	registry.ErrNotRecorded,
}

// answer records the answer of a registry or a lock. add is how to add a missing image
// to the lock.
func (q *podImages) answer(r registry.Result, add string) {
	a := workload.Answer{
		Architectures: r.Image.Platforms.Linux(), Single: !isIndex(r.Image.MediaType), Neutral: r.Image.Bundle, Err: r.Err,
	}
	if r.Err != nil {
		a.Err = podError{r.Err}
	}
	a.Others, a.Systems = r.Image.Others, r.Image.Others != nil
	for _, p := range registry.Missing(r.Err) {
		a.Missing = arch.NewSet(append(a.Missing, p.Architecture)...)
	}
	if errors.Is(r.Err, registry.ErrDenied) {
		a.LogIn = r.Reference.Host()
	}
	a.Host = r.Reference.Host()
	for _, cause := range sharedCauses {
		if errors.Is(r.Err, cause) {
			a.Cause = cause.Error()
		}
	}
	if add != "" {
		a.Do, a.Cause = add, "the lock lacks them"
	}
	for _, text := range q.texts[r.Reference] {
		q.answers[text] = a
	}
}

// isIndex reports whether a media type is that of an index.
func isIndex(mediaType string) bool {
	return strings.Contains(mediaType, "image.index") || strings.Contains(mediaType, "manifest.list")
}
