package pipeline

import (
	"cmp"
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/prediction"
)

// Check runs the function as Render does, and predicts what the operators do with the
// rendered output. It is an error if the API server or HCO refuses the output, or if an
// operator stops at it.
func (f Function) Check(ctx context.Context, items []*yaml.RNode, given *yaml.RNode) check.Result {
	f.crs = cmp.Or(f.crs, &hyperconverged.Parsed{})
	config, extra, found := f.source().Load(given, items)
	if found.Failed() {
		return check.Result{Findings: found}
	}
	f.pods = f.podsOf(config)
	found = append(found, output.LeftOutNodes(items)...)
	return f.check(ctx, append(items, extra...), config, found)
}

func (f Function) check(ctx context.Context, items []*yaml.RNode, config *configuration.Config, found finding.List) check.Result {
	f.crs = cmp.Or(f.crs, &hyperconverged.Parsed{})
	c := check.New(found, items, f.crs)
	out := f.run(ctx, items, config.Settings)
	c.Findings = append(c.Findings, configuration.Locate(out.found, config)...)
	c.Rendered = !out.found.Failed()
	c.Pods = out.pods
	c.Judge(f.predictor(), out.all, out.items, config.Settings)
	c.Findings = prediction.Fold(c.Findings).Unchanged()
	return c
}

// runOrCheck does what spec.mode requires with the items. A check uses copies: the
// items stay unchanged, and pass through as they are.
func (f Function) runOrCheck(ctx context.Context, items []*yaml.RNode, config *configuration.Config) ([]*yaml.RNode, finding.List) {
	if config.Spec.Mode != v1alpha1.ModeCheck {
		out, found := f.Run(ctx, items, config.Settings)
		return out, configuration.Locate(found, config)
	}
	copies := slices.Clone(items)
	for i, item := range items {
		if Needed(item) {
			copies[i] = item.Copy()
		}
	}
	f.OutcomesOnly = true
	return items, f.check(ctx, copies, config, nil).Findings
}
