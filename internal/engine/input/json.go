package input

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// content is what an object holds. A run puts an edited copy in the place of an object, and changes
// none in place, so that the same content is the same object also in a snapshot.
type content struct {
	first **yaml.Node
	count int
}

// JSON returns the JSON of a CR, which nobody changes. It encodes each form of the CR once: as it is
// read, and as goldenarch writes it.
func JSON(o object.Object, crs *hyperconverged.Parsed) ([]byte, error) {
	nodes := o.Node.YNode().Content
	if len(nodes) == 0 {
		return o.JSON()
	}
	return crs.Encoded(content{&nodes[0], len(nodes)}, o.JSON)
}
