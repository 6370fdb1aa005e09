package livecr

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
)

// MarkLocal adds the local-config annotation to the dumps of HyperConverged among the
// items: they show the cluster, and goldenarch never writes them.
func MarkLocal(items []*yaml.RNode) error {
	for _, o := range object.All(items) {
		if !kinds.IsCR(o) || !object.IsDump(o.Node.YNode()) || object.NodeAt(o.Node, "status") == nil {
			continue
		}
		if err := o.Node.PipeE(yaml.SetAnnotation(object.LocalConfig, "true")); err != nil {
			return fmt.Errorf("annotate the live CR: %w", err)
		}
	}
	return nil
}
