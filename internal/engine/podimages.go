package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
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
	// byCDI are the images that pods of CDI pull, and no node.
	byCDI []imageref.Reference
	// stated are the images whose architectures the configuration states.
	stated []imageref.Reference
	found  finding.List
}

// newPodImages sorts the texts that name images: not valid, ignored, stated, or to
// query.
func newPodImages(texts, ignoreImages []string, stated settings.Images) podImages {
	q := podImages{answers: map[string]workload.Answer{}, texts: map[imageref.Reference][]string{}}
	ignored := q.readIgnored(ignoreImages)
	for _, text := range texts {
		ref, err := imageref.Parse(text)
		if err != nil {
			q.answers[text] = workload.Answer{Err: err, Do: "correct the reference"}
			continue
		}
		set, ok := stated.Find(ref)
		switch {
		case ignored(ref):
			q.answers[text] = workload.Answer{Ignored: true}
		case ok:
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

// references returns those of texts that are valid.
func references(texts []string) []imageref.Reference {
	var out []imageref.Reference
	for _, text := range texts {
		if ref, err := imageref.Parse(text); err == nil {
			out = append(out, ref)
		}
	}
	return out
}

// readIgnored reads ignoreImages. It returns a function that reports whether an image
// is ignored, by its reference or by its repository.
func (q *podImages) readIgnored(list []string) func(imageref.Reference) bool {
	var exact []imageref.Reference
	var repositories []string
	for i, text := range list {
		ref, err := imageref.Parse(text)
		if err != nil {
			q.found = append(q.found, finding.Finding{
				ID: finding.ConfigInvalid, Severity: finding.Error, Field: fmt.Sprintf("spec.ignoreImages[%d]", i), Current: text, Text: err.Error(),
				Do: "correct the reference",
			})
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

// sharedCauses are the causes that several images of one registry have.
var sharedCauses = []error{
	registry.ErrUnreachable, registry.ErrDenied, registry.ErrNotFound, registry.ErrBusy, registry.ErrServer, registry.ErrCredentials, registry.ErrBlocked,
}

// answer records the answer of a registry or a lock. add is how to add a missing image
// to the lock.
func (q *podImages) answer(r registry.Result, add string) {
	a := workload.Answer{
		Architectures: r.Image.Platforms.Linux(), Digest: r.Image.Digest, Single: cdi.IsManifest(r.Image.MediaType), Neutral: r.Image.Bundle, Err: r.Err,
	}
	if a.Missing = slices.Concat(r.Image.Absent, registry.Missing(r.Err)).Linux(); len(a.Missing) > 0 && r.Err == nil {
		r.Err = cmp.Or(r.Image.AbsentError, errAbsent)
	}
	if r.Err != nil {
		a.Err = podError{r.Err}
	}
	a.Others, a.Systems = r.Image.Others, r.Image.Others != nil
	a.Artifact = errors.Is(r.Err, registry.ErrNotImage)
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

// errAbsent is the error of an image of which a lock says that the registry lacks a part.
var errAbsent = errors.New("the lock says that the registry lacks manifests of the index")

// Nodes pull the images of pods with CRI-O or containerd, and not with CDI. CDI and CRI-O
// share the library that chooses an entry of an index (containers/image internal/manifest:
// chooseInstance). It compares architectures exactly. Where no entry of an OCI index names an
// architecture, it takes the first entry without a platform, whatever is in it. containerd
// takes that entry too, and only if its configuration has the architecture (containerd
// core/images/image.go: Manifest). It accepts other names of an architecture
// (containerd/platforms: Normalize). goldenarch counts what both run: the configuration of
// the first entry without a platform.

// podWords puts the runtime into texts that name CDI.
var podWords = strings.NewReplacer(
	"that CDI selects", "that CRI-O selects", "and CDI reads", "and CRI-O reads", "which CDI never", "which CRI-O never",
	"and CDI accepts", "and CRI-O accepts", "and CDI imports", "and CRI-O pulls", "which CDI does not import", "which CRI-O does not pull",
)

// podError is an error about an image in the words of those who run pods.
type podError struct{ error }

// Error implements error.
func (e podError) Error() string { return podWords.Replace(e.error.Error()) }

// Unwrap returns the error.
func (e podError) Unwrap() error { return e.error }

// forPods returns findings about images in the words of those who run pods, who may run an image for bootc.
func forPods(found finding.List) finding.List {
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.BootcImage })
	for i, f := range found {
		if f.ID != finding.EntryIgnored {
			continue
		}
		text := strings.Replace(podWords.Replace(f.Text), "CDI does not use", "CRI-O does not use", 1)
		found[i].Text = text + ". containerd accepts other names of an architecture, so the image may run on some nodes only"
	}
	return found
}
