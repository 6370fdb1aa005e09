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

// Access has the settings for reaching registries that the items of a run contain. After
// the queries it returns the findings about them.
type Access struct {
	settings     settings
	conditionals []conditional
	// mirrorFindings are the findings about the mirrors, which do not depend on the
	// queries.
	mirrorFindings finding.List
	// predefined are the images that predefined templates import.
	predefined []imageref.Reference

	mu      sync.Mutex
	queried map[imageref.Reference]error
	// failed has, for each image, the mirrors that did not answer.
	failed map[imageref.Reference][]registry.MirrorError
	notes  map[string]registry.Note // by registry, with the fewest pulls left
	// ignored has, for each image, the entries of its index that CDI ignores.
	ignored map[imageref.Reference][]string
}

// conditional is a finding about something missing that a registry may need. Access reports
// it only if goldenarch queried the registry, and as a warning only if that query failed:
// Secrets are seldom in Git, and images seldom private.
type conditional struct {
	finding finding.Finding
	// only is the image that the finding is about; nil means any image.
	only *imageref.Reference
}

// Collect reads from the items the settings that are needed to query the images of the CRs.
func Collect(items Lookup, m Mirrors, list []subject.Subject, spec *v1alpha1.GoldenImagesSpec) *Access {
	g := &Access{
		settings: settings{spec: spec.Registry, mirrors: m.policy},
		queried:  map[imageref.Reference]error{}, notes: map[string]registry.Note{},
		failed: map[imageref.Reference][]registry.MirrorError{}, predefined: predefinedImages(list),
		ignored: map[imageref.Reference][]string{},
	}
	g.settings.note = g.note
	authorities := items
	if items.Untrusted {
		authorities = Lookup{Objects: items.Trusted}
	} else {
		g.settings.spec.Insecure = slices.Concat(spec.Registry.Insecure, insecureRegistries(list))
	}
	g.pullSecrets(items, spec.Registry.PullSecrets)
	g.authorities(authorities, spec.Registry.CertificateAuthorities)
	for _, s := range list {
		g.mirrorFindings = append(g.mirrorFindings, m.notForCDI(s)...)
		for _, q := range s.Questions {
			source := q.Template.Registry()
			if q.Image == (imageref.Reference{}) || source == nil {
				continue
			}
			use := templateUse{Subject: s, template: q.Template.Index, namespace: namespaceOf(s, q), ref: q.Image}
			g.templateSecret(items, use, ptr.Deref(source.SecretRef, ""))
			g.templateAuthority(authorities, use, ptr.Deref(source.CertConfigMap, ""))
		}
	}
	return g
}

// Open returns the resolver for the images. The function open makes it from what the caller
// states and what the items contain (default: registry.Open). The resolver records each
// query.
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
