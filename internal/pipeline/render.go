package pipeline

import (
	"context"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/output"
)

// Rendered is the result of Render.
type Rendered struct {
	// Items are those for the cluster.
	Items []*yaml.RNode
	// Added has the index of the step that added an item, of those that no file has.
	Added map[*yaml.RNode]int
}

// Render runs the steps on items that were read from files, and returns those for the
// cluster. The findings have the lines of the files. It stops at the first step that fails.
func (f Function) Render(ctx context.Context, items []*yaml.RNode, steps []Step) (Rendered, finding.List) {
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return Rendered{}, found
	}
	found = append(found, output.LeftOutNodes(items)...)
	found = append(found, unused(steps, items, notListed, finding.Warning)...)
	out := Rendered{Added: map[*yaml.RNode]int{}}
	for i, step := range all {
		known := map[*yaml.RNode]bool{}
		for _, item := range items {
			known[item] = true
		}
		if step.generates {
			found = addDistinct(found, step.found)
			continue
		}
		after, list := step.runOrCheck(ctx, step.input(items), step.config)
		if found = addDistinct(found, list); list.Failed() {
			break
		}
		items = withoutInputs(after, step.extra)
		for _, item := range items {
			if !known[item] {
				out.Added[item] = i
			}
		}
	}
	out.Items = output.Product(items)
	return out, found
}
