package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// gathered is what the items of a run hold for reaching registries, and what
// there is to say about it once the registries have been asked.
type gathered struct {
	access access
	doubts []doubt
	// mirrored is what there is to say about the mirrors in any case.
	mirrored finding.List
	// known are the images that predefined templates import.
	known []registry.Reference

	mu    sync.Mutex
	asked map[registry.Reference]error
	// passed are the mirrors that did not answer, by the image.
	passed map[registry.Reference][]registry.MirrorError
	notes  map[string]registry.Note // by registry, with the fewest pulls left
	// unbelieved says what of an image's index CDI does not take.
	unbelieved map[registry.Reference][]string
}

// doubt is that something is missing which a registry may want to see. It is told
// only where a registry was asked, and as a warning only where that failed:
// Secrets are seldom in Git, and images seldom private.
type doubt struct {
	finding finding.Finding
	// only is the image that it is about; nil is any.
	only *registry.Reference
}

// gather takes out of the items what is needed to ask for the images of the CRs.
func gather(items lookup, m mirrors, list []subject, spec *v1alpha1.GoldenImagesSpec) *gathered {
	g := &gathered{
		access: access{spec: spec.Registry, mirrors: m.policy},
		asked:  map[registry.Reference]error{}, notes: map[string]registry.Note{},
		passed: map[registry.Reference][]registry.MirrorError{}, known: known(list),
		unbelieved: map[registry.Reference][]string{},
	}
	g.access.note = g.note
	g.access.spec.Insecure = slices.Concat(spec.Registry.Insecure, insecure(list))
	g.pullSecrets(items, spec.Registry.PullSecrets)
	g.authorities(items, spec.Registry.CertificateAuthorities)
	for _, s := range list {
		g.mirrored = append(g.mirrored, m.notForCDI(s)...)
		for _, q := range s.questions {
			ref, err := registry.ParseReference(q.Reference)
			source := q.Template.Registry()
			if err != nil || source == nil {
				continue
			}
			use := templateUse{subject: s, template: q.Template.Index, namespace: namespaceOf(s, q), ref: ref}
			g.templateSecret(items, use, pointed(source.SecretRef))
			g.templateAuthority(items, use, pointed(source.CertConfigMap))
		}
	}
	return g
}

// reach returns who answers for images. What is asked is noted.
func (f Function) reach(g *gathered) (registry.Resolver, error) {
	open := f.Open
	if open == nil {
		open = registry.Open
	}
	next, err := open(g.access.options(f.Registry))
	if err != nil {
		return nil, err
	}
	return watched{next, g}, nil
}

// watched notes which images are asked for, and with what success.
type watched struct {
	registry.Resolver
	g *gathered
}

// Resolve implements registry.Resolver.
func (w watched) Resolve(ctx context.Context, ref registry.Reference) (registry.Image, error) {
	image, err := w.Resolver.Resolve(ctx, ref)
	w.g.mu.Lock()
	defer w.g.mu.Unlock()
	w.g.asked[ref] = err
	if len(image.Passed) > 0 {
		w.g.passed[ref] = image.Passed
	}
	if len(image.Unbelieved) > 0 {
		w.g.unbelieved[ref] = image.Unbelieved
	}
	return image, w.g.unguessed(ref, err)
}

func (g *gathered) note(n registry.Note) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known, ok := g.notes[n.Registry]; !ok || n.Remaining < known.Remaining {
		g.notes[n.Registry] = n
	}
}

// tell says what there is to say when the registries have been asked.
func (g *gathered) tell() finding.List {
	g.mu.Lock()
	defer g.mu.Unlock()
	var found finding.List
	for _, d := range g.doubts {
		if d.only == nil && len(g.asked) == 0 {
			continue
		}
		if d.only != nil {
			err, asked := g.asked[*d.only]
			if !asked {
				continue
			}
			if err == nil {
				d.finding.Severity = finding.Info
			}
		}
		found = append(found, d.finding)
	}
	found = append(found, g.mirrored...)
	found = append(found, g.unread()...)
	found = append(found, g.untaken()...)
	return append(found, g.limits()...)
}

// untaken reports the entries of indexes that look like an architecture, and that
// CDI does not take.
func (g *gathered) untaken() finding.List {
	var found finding.List
	for _, ref := range slices.SortedFunc(maps.Keys(g.unbelieved), byText) {
		found = append(found, finding.Finding{
			ID: finding.EntryNotTaken, Severity: finding.Warning,
			Text: fmt.Sprintf("image %q: goldenarch does not count all entries of its index: %s", ref, strings.Join(g.unbelieved[ref], "; ")),
			Do:   "push the index again with the platforms written as Go writes them, such as linux/amd64",
		})
	}
	return found
}

// limits tells of registries that will soon answer no more.
func (g *gathered) limits() finding.List {
	var found finding.List
	for _, n := range g.notes {
		found = append(found, finding.Finding{
			ID: finding.RateLimitLow, Severity: finding.Warning, Text: n.String(),
			Do: "log in for a higher limit (podman login " + n.Registry + "), or use a lock, which asks for nothing twice",
		})
	}
	slices.SortFunc(found, func(a, b finding.Finding) int { return strings.Compare(a.Text, b.Text) })
	return found
}
