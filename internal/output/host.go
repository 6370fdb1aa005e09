package output

import (
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/object"
)

// PrepareForHost removes annotations that hosts do not expect on items that they did
// not read themselves.
func PrepareForHost(items []*yaml.RNode) finding.List {
	for _, item := range items {
		for _, key := range []string{kioutil.SeqIndentAnnotation, manifest.EmptyAnnotation} {
			if err := item.PipeE(yaml.ClearAnnotation(key)); err != nil {
				return finding.List{object.Object{Item: item, Node: item, At: object.Ref(item)}.Unreadable(err)}
			}
		}
	}
	return nil
}
