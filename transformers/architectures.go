package transformers

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// writeClaim writes the declared architectures of a template. If goldenarch computed
// them, it also writes goldenarch.dev/claim with the same value. If a user wrote them,
// it removes that annotation.
func writeClaim(entry *yaml.Node, claim *Claim) {
	switch {
	case claim == nil:
	case claim.Value == "":
		removeAnnotations(entry, hyperconverged.ClaimAnnotation, hyperconverged.WrittenAnnotation)
	default:
		notes := annotations(entry)
		yamlnode.SetString(notes, hyperconverged.ClaimAnnotation, claim.Value, 0)
		if claim.Written {
			yamlnode.SetString(notes, hyperconverged.WrittenAnnotation, claim.Value, 0)
		} else {
			yamlnode.Remove(notes, hyperconverged.WrittenAnnotation)
		}
	}
}

func annotations(entry *yaml.Node) *yaml.Node {
	return yamlnode.Mapping(entry, "metadata", "annotations")
}

// removeAnnotations removes annotations, and the map if it is then empty.
func removeAnnotations(entry *yaml.Node, keys ...string) {
	metadata := yamlnode.Get(entry, "metadata")
	notes := yamlnode.Get(metadata, "annotations")
	for _, key := range keys {
		yamlnode.Remove(notes, key)
	}
	if notes != nil && len(notes.Content) == 0 {
		yamlnode.Remove(metadata, "annotations")
	}
}
