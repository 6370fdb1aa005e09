package pipeline

import (
	"context"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/output"
)

// Render runs the function on items that were read from files, and returns those for
// the cluster. The configuration is given, or one of the items. The findings have the
// lines of the files.
func (f Function) Render(ctx context.Context, items []*yaml.RNode, given *yaml.RNode) ([]*yaml.RNode, finding.List) {
	config, extra, found := f.source().Load(given, items)
	if found.Failed() {
		return nil, found
	}
	f.pods = f.podsOf(config)
	found = append(found, output.LeftOutNodes(items)...)
	items, list := f.runOrCheck(ctx, append(items, extra...), config)
	return output.Product(items), append(found, list...)
}
