package prediction

import (
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// Images is what is known about the images of templates, by the identity of the CR and
// the name of the template.
type Images map[string]map[string]forecast.Image

// ImagesOf returns what a run knows about the images of templates.
func ImagesOf(d subject.Decided) Images {
	out := Images{}
	for i, s := range d.Subjects {
		known := map[string]forecast.Image{}
		for _, p := range d.Plans[i].Proofs {
			known[p.Name] = forecast.Image{Name: p.Image, Architectures: p.Architectures}
		}
		out[kinds.Identity(s.At)] = known
	}
	return out
}
