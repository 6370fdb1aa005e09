package pipeline

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Fix runs the steps as Render does, and returns all items: those that were read, with the
// decisions written into them, and those that the function emits. It omits the items that
// spec.inputs of the configurations name. It also returns what it decided on.
func (f Function) Fix(ctx context.Context, items []*yaml.RNode, steps []Step) ([]*yaml.RNode, Decided, finding.List) {
	decided := Decided{}
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return nil, decided, found
	}
	found = append(found, unused(steps, items, notListed, finding.Warning)...)
	for _, step := range all {
		var list finding.List
		switch {
		case step.generates:
			list = step.found
		case step.onlyChecks():
			_, list = step.runOrCheck(ctx, step.input(items), step.config)
		default:
			out := step.run(ctx, step.input(items), step.config.Settings)
			list = configuration.Locate(out.found, step.config)
			for _, item := range out.undecided {
				decided[item] = false
			}
			items = slices.DeleteFunc(slices.Clone(out.items), func(item *yaml.RNode) bool { return slices.Contains(step.extra, item) })
		}
		if found = addDistinct(found, list); found.Failed() {
			break
		}
	}
	return items, decided, found
}
