package pipeline

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/check"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// Check runs the steps as Render does, and predicts what the operators do with the files as
// they are committed, or with the rendered output if As says so. It is an error if the API
// server or HCO refuses that, if an operator stops at it, or if the operators do something
// else with the committed CR than with the rendered one. A step that only checks adds its
// findings about what it receives.
func (f Function) Check(ctx context.Context, items []*yaml.RNode, steps []Step) check.Result {
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return check.Result{Findings: found}
	}
	found = append(found, output.LeftOutNodes(items)...)
	found = append(found, unused(steps, items, notListed, finding.Warning)...)
	judged := deciding(all)
	c := check.New(found, judged.committed(items, all), judged.crs)
	c.Rendered = true
	committed := check.Snapshot(judged.input(items))
	if judged.generates {
		committed = check.Snapshot(judged.committed(items, all))
	}
	var decided result
	var gate variants
	var pods finding.List
	asCommitted := check.Snapshot(items)
	for _, step := range all {
		if step.onlyChecks() {
			_, list := step.runOrCheck(ctx, step.input(items), step.config)
			c.Findings = addDistinct(c.Findings, list)
			continue
		}
		out := step.decided(ctx, step.input(items), step.config.Settings)
		if step.decides {
			gate = gateVariants(out)
		}
		pods = addDistinct(pods, step.podsAsCommitted(ctx, step.input(asCommitted), out, step.config))
		out.apply()
		c.Findings = addDistinct(c.Findings, configuration.Locate(out.found, step.config))
		c.Pods = append(c.Pods, out.pods...)
		if c.Rendered = !out.found.Failed(); step.decides || !c.Rendered {
			judged, decided = step, out
		}
		if !step.generates { // the items have what a generator emits
			items = withoutInputs(slices.Clone(out.items), step.extra)
		}
		if !c.Rendered {
			break
		}
	}
	if judged.generates {
		items = decided.items
	} else {
		items = judged.input(slices.DeleteFunc(items, func(item *yaml.RNode) bool { return slices.Contains(judged.extra, item) }))
	}
	c.Judge(check.Run{
		Predictor: judged.predictor(), Decided: decided.all, Settings: judged.config.Settings, As: f.As, OnServer: f.OnServer, Fix: f.FixCommand,
		Committed: committed, Rendered: items, OnlyGate: gate.only, WithoutGate: gate.without, Pods: pods,
	})
	if c.As == verdict.Rendered {
		committed = items
	}
	f.checkMachines(ctx, &c, committed, decided, judged.config.Settings)
	c.Findings = append(c.Findings, f.stuckImports(c)...)
	c.Findings = prediction.Fold(c.Findings).Unchanged()
	c.Exceptions = judged.exceptions
	return c
}

// committed returns the items that a check is about. A CR that a generator emits is the one
// of its spec.inputs: the check is about that one if it is about the generator.
func (l loaded) committed(items []*yaml.RNode, all []loaded) []*yaml.RNode {
	out := slices.Clone(items)
	for _, step := range all {
		if !step.generates || l.generates {
			out = append(out, step.extra...)
		}
		if step.generates && l.generates {
			out = slices.DeleteFunc(out, step.emitted)
		}
	}
	return out
}

// variants are the committed items with the gate of the rendered ones, and the rendered ones
// with that of the committed ones; nil if the run leaves the gate.
type variants struct{ only, without []*yaml.RNode }

// gateVariants returns the items with and without the edits of the gate. The run has not yet
// put its edits in place.
func gateVariants(r result) variants {
	if !slices.ContainsFunc(r.all.Plans, func(p plan.Plan) bool { return p.Gate != nil }) || r.found.Failed() {
		return variants{}
	}
	only, without := make([]plan.Plan, len(r.all.Plans)), slices.Clone(r.all.Plans)
	for i, p := range r.all.Plans {
		only[i] = plan.Plan{Gate: p.Gate, GateRecord: p.GateRecord, EnableRecord: p.EnableRecord}
		without[i].Gate, without[i].GateRecord, without[i].EnableRecord = nil, nil, nil
	}
	return variants{only: written(r, only), without: written(r, without)}
}

// written returns items with the edits of other plans; nil if they cannot be written.
func written(r result, plans []plan.Plan) []*yaml.RNode {
	edited, wrong := output.Write(r.all.Subjects, plans)
	if wrong.Failed() {
		return nil
	}
	out := check.Snapshot(r.items)
	for i, item := range r.items {
		if copied := edited[item]; copied != nil {
			out[i] = copied
		}
	}
	return out
}

// check checks items by the rules of the verb, as they are.
func (f Function) check(ctx context.Context, items []*yaml.RNode, config *configuration.Config, found finding.List) check.Result {
	c := check.New(found, items, f.crs)
	committed := check.Snapshot(items)
	out := f.decided(ctx, items, config.Settings)
	gate := gateVariants(out)
	pods := f.podsAsCommitted(ctx, committed, out, config)
	out.apply()
	c.Findings = append(c.Findings, configuration.Locate(out.found, config)...)
	c.Rendered = !out.found.Failed()
	c.Pods = out.pods
	c.Judge(check.Run{
		Predictor: f.predictor(), Decided: out.all, Settings: config.Settings,
		Committed: committed, Rendered: out.items, OnlyGate: gate.only, WithoutGate: gate.without, Pods: pods,
	})
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
	f.OutcomesOnly = true
	return items, f.exceptions.Adjusted(f.check(ctx, copied(items), config, nil).Findings)
}

// copied returns copies of the items that a run may change.
func copied(items []*yaml.RNode) []*yaml.RNode {
	out := slices.Clone(items)
	for i, item := range items {
		if Needed(item) {
			out[i] = item.Copy()
		}
	}
	return out
}
