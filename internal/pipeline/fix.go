package pipeline

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Fix runs the function as Render does, and returns all items: those that were read,
// with the decisions written into them, and those that the function emits. It omits the
// items that spec.inputs of the configuration names.
func (f Function) Fix(ctx context.Context, items []*yaml.RNode, given *yaml.RNode) ([]*yaml.RNode, finding.List) {
	config, extra, found := f.source().Load(given, items)
	if found.Failed() {
		return nil, found
	}
	f.pods = f.podsOf(config)
	out, list := f.Run(ctx, slices.Concat(items, extra), config.Settings)
	found = append(found, configuration.Locate(list, config)...)
	return slices.DeleteFunc(slices.Clone(out), func(item *yaml.RNode) bool { return slices.Contains(extra, item) }), found
}
