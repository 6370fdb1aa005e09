package access

import (
	"slices"
	"sync"

	"k8s.io/utils/ptr"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// Access is what the items of a run hold for reaching registries, and what
// there is to say about it once the registries have been asked.
type Access struct {
	settings     settings
	conditionals []conditional
	// mirrorFindings are the findings about the mirrors in any case.
	mirrorFindings finding.List
	// predefined are the images that predefined templates import.
	predefined []imageref.Reference

	mu      sync.Mutex
	queried map[imageref.Reference]error
	// failed are the mirrors that did not answer, by the image.
	failed map[imageref.Reference][]registry.MirrorError
	notes  map[string]registry.Note // by registry, with the fewest pulls left
	// ignored says what of an image's index CDI does not take.
	ignored map[imageref.Reference][]string
}

// conditional is that something is missing which a registry may want to see. It is reported
// only where a registry was asked, and as a warning only where that failed:
// Secrets are seldom in Git, and images seldom private.
type conditional struct {
	finding finding.Finding
	// only is the image that it is about; nil is any.
	only *imageref.Reference
}

// Collect takes out of the items what is needed to ask for the images of the CRs.
func Collect(items Lookup, m Mirrors, list []subject.Subject, spec *v1alpha1.GoldenImagesSpec) *Access {
	g := &Access{
		settings: settings{spec: spec.Registry, mirrors: m.policy},
		queried:  map[imageref.Reference]error{}, notes: map[string]registry.Note{},
		failed: map[imageref.Reference][]registry.MirrorError{}, predefined: predefinedImages(list),
		ignored: map[imageref.Reference][]string{},
	}
	g.settings.note = g.note
	g.settings.spec.Insecure = slices.Concat(spec.Registry.Insecure, insecureRegistries(list))
	g.pullSecrets(items, spec.Registry.PullSecrets)
	g.authorities(items, spec.Registry.CertificateAuthorities)
	for _, s := range list {
		g.mirrorFindings = append(g.mirrorFindings, m.notForCDI(s)...)
		for _, q := range s.Questions {
			source := q.Template.Registry()
			if q.Image == (imageref.Reference{}) || source == nil {
				continue
			}
			use := templateUse{Subject: s, template: q.Template.Index, namespace: namespaceOf(s, q), ref: q.Image}
			g.templateSecret(items, use, ptr.Deref(source.SecretRef, ""))
			g.templateAuthority(items, use, ptr.Deref(source.CertConfigMap, ""))
		}
	}
	return g
}

// Open returns who answers for images, as open makes it (default: registry.Open) of
// what the caller states. What is asked is noted.
func (g *Access) Open(open func(registry.Options) (registry.Resolver, error), stated registry.Options) (registry.Resolver, error) {
	if open == nil {
		open = registry.Open
	}
	next, err := open(g.settings.options(stated))
	if err != nil {
		return nil, err
	}
	return recorder{next, g}, nil
}
