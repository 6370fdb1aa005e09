package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/utils/ptr"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// predefinedImages returns the images that the predefined templates of the CRs import.
func predefinedImages(list []subject.Subject) []imageref.Reference {
	var out []imageref.Reference
	seen := map[string]bool{"": true}
	for _, s := range list {
		for _, p := range s.Table.Templates {
			source := p.Registry()
			if source == nil || seen[ptr.Deref(source.URL, "")] {
				continue
			}
			seen[*source.URL] = true
			if ref, err := s.References.Parse(*source.URL); err == nil && !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	return out
}

// explain handles the error of a registry that cannot be reached. If the registry looks
// like a mirror of a known image, explain adds why goldenarch does not use another
// registry's answer: the mirror's image may be another build or have fewer platforms.
func (g *Access) explain(ref imageref.Reference, err error) error {
	if !errors.Is(err, registry.ErrUnreachable) {
		return err
	}
	var why []string
	if host, _, _ := strings.Cut(ref.Host(), ":"); strings.HasSuffix(host, ".svc") || strings.HasSuffix(host, ".svc.cluster.local") {
		why = append(why, "the registry is only reachable inside the cluster")
	}
	for _, k := range g.predefined {
		if ref.Host() != k.Host() && strings.HasSuffix("/"+ref.Repository(), "/"+k.Repository()) {
			why = append(why, fmt.Sprintf("this looks like a mirror of %s/%s", k.Host(), k.Repository()))
			break
		}
	}
	if len(why) == 0 {
		return err
	}
	return unreachableError{err, strings.Join(why, ", and ")}
}

// unreachableError is an error with the reason why goldenarch does not guess the platforms
// of the image.
type unreachableError struct {
	error
	why string
}

func (u unreachableError) Error() string {
	return u.error.Error() + "; " + u.why + ". goldenarch does not guess its architectures"
}

func (u unreachableError) Unwrap() error { return u.error }
