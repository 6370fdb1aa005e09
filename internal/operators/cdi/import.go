package cdi

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// Import is what CDI imports of an image if nothing asks for an architecture.
type Import struct {
	// Architectures are those of which CDI imports one; empty if there is none.
	Architectures arch.Set
	// Fails says on which nodes the import fails; "" if it fails on none.
	Fails string
}

// ImportOf returns what CDI imports of an image on nodes. single says that the reference of the image names a manifest,
// which CDI takes as it is. Of an index it takes the entry for the node that imports (cdi pkg/importer/transport.go:
// buildSourceContext, validateImagePlatformMatch). Without nodes, it is all of the image.
func ImportOf(image arch.Set, single bool, nodes arch.Set) Import {
	if single || len(image) == 0 || len(nodes) == 0 {
		return Import{Architectures: image}
	}
	out := Import{Architectures: image.Intersect(nodes)}
	if lacking := nodes.Minus(image); len(lacking) > 0 {
		out.Fails = fmt.Sprintf("nothing asks for an architecture, so CDI takes that of the node that imports, and on %s it finds no image: there is one for %s",
			lacking, image)
	}
	return out
}

// IsManifest reports whether a media type is that of a manifest, and not that of an index.
func IsManifest(mediaType string) bool {
	return !strings.Contains(mediaType, "image.index") && !strings.Contains(mediaType, "manifest.list")
}
