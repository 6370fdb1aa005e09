package customize

import (
	"encoding/json"
	"maps"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// copied returns the annotations and the spec of a predefined template for an entry of the
// CR. The annotations that HCO and goldenarch compute are left out, and so are the labels:
// HCO ignores the CR's (hco golden_images.go: customizeCommonDICT).
func copied(base hyperconverged.Predefined) (map[string]string, *yaml.Node) {
	notes := maps.Clone(base.Metadata.Annotations)
	computed := append([]string{
		hyperconverged.ClaimAnnotation, hyperconverged.EnableAnnotation, hyperconverged.WrittenAnnotation, hyperconverged.DisabledAnnotation,
	}, hyperconverged.RetiredAnnotations...)
	for _, key := range computed {
		delete(notes, key)
	}
	return notes, specNode(base)
}

// specNode returns the spec as YAML. Go writes the metadata and the status of a
// DataVolume also where they are empty (cdi types.go: DataVolume).
func specNode(base hyperconverged.Predefined) *yaml.Node {
	var tree map[string]any
	data, err := json.Marshal(base.Spec)
	if err == nil {
		err = json.Unmarshal(data, &tree)
	}
	if err != nil {
		panic(err) // it was read from JSON
	}
	if volume, ok := tree["template"].(map[string]any); ok {
		for _, key := range []string{"metadata", "status"} {
			if value, ok := volume[key].(map[string]any); ok && isEmpty(value) {
				delete(volume, key)
			}
		}
	}
	text, err := k8syaml.Marshal(tree)
	if err != nil {
		panic(err)
	}
	return yaml.MustParse(string(text)).YNode()
}

// isEmpty reports whether an object has no values but null.
func isEmpty(object map[string]any) bool {
	for _, value := range object {
		if value != nil {
			return false
		}
	}
	return true
}
