package cli

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/flux"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/prediction"
)

// oneInput is an input of one cluster that a run has read, and the function that works on it.
type oneInput struct {
	in       *inputReader
	items    []*yaml.RNode // as they were read
	input    preparedInput
	function pipeline.Function
}

// readPrepared reads the paths of a verb that is for one cluster, and what counts for them.
func (o *options) readPrepared(ctx context.Context, paths []string, function pipeline.Function) (oneInput, finding.List, error) {
	out := oneInput{in: o.newReader(), function: function}
	out.in.runGenerators(ctx, function)
	var found, more finding.List
	if out.items, found = out.in.readOne(paths, function); found.Failed() {
		return out, found, nil
	}
	var err error
	out.input, more, err = out.in.preparePaths(&out.function, paths, out.items)
	return out, append(found, more...), err
}

// rendered is what a run renders of an input.
type rendered struct {
	items   []*yaml.RNode
	texts   manifest.Texts
	ignored map[string]int // how many findings each exception hides, by the name of the exception
	// mayBeEmpty says that the input is one kustomization, of which kustomize makes nothing, either.
	mayBeEmpty bool
}

// render renders the paths of one cluster. After an error among the findings there is nothing to print.
func (o *options) render(ctx context.Context, paths []string, function pipeline.Function) (rendered, finding.List, error) {
	one, found, err := o.readPrepared(ctx, paths, function)
	in := one.in
	if err != nil || found.Failed() {
		return rendered{}, in.located(found.Sorted()), err
	}
	made, more := one.function.Render(ctx, one.input.items, one.input.steps)
	out := rendered{texts: in.manifests.Texts, mayBeEmpty: len(in.builds) == 1 && len(in.paths) == 1}
	if out.items, err = in.built.Finish(made.Items, one.items, made.Added); err != nil {
		return rendered{}, nil, err
	}
	applied := made.Exceptions.Apply(found)
	found = in.located(slices.Concat(applied.List, more).Sorted())
	if found.Failed() {
		return rendered{}, found, nil
	}
	out.ignored = applied.Ignored
	for by, n := range made.Ignored {
		out.ignored[by] += n
	}
	if o.literal {
		err = flux.Literal(out.items)
	}
	return out, found, err
}

// forecast predicts what the operators do with the CRs of paths, and returns the items of the input, too.
func (o *options) forecast(
	ctx context.Context, paths []string, function pipeline.Function, admission prediction.Admission,
) ([]forecast.Prediction, []*yaml.RNode, finding.List, error) {
	one, found, err := o.readPrepared(ctx, paths, function)
	if err != nil || found.Failed() {
		return nil, nil, one.in.located(found), err
	}
	list, more := one.function.Predict(one.input.items, one.input.steps, admission)
	return list, one.input.items, one.in.located(append(found, more...)), nil
}
