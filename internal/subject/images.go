package subject

import (
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// Images is what the input and the configuration say about images.
type Images struct {
	Streams imagestream.Streams
	// Overrides are those of the configuration.
	Overrides Overrides
	// References has the references of the templates.
	References *imageref.Parsed
}

// NewImages returns what a configuration says about images, with the ImageStreams of
// the input.
func NewImages(streams imagestream.Streams, spec *settings.Settings) (Images, finding.List) {
	overrides, found := NewOverrides(spec.Overrides)
	return Images{Streams: streams, Overrides: overrides, References: &imageref.Parsed{}}, found
}
