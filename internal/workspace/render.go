package workspace

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/host/flux"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// oneInput is an input of one cluster that a run has read, and the function that works on it.
type oneInput struct {
	in       *reader
	items    []*yaml.RNode // as they were read
	input    preparedInput
	function engine.Function
}

// readPrepared reads the paths of a verb that is for one cluster, and what counts for them.
func (o *Options) readPrepared(paths []string, function engine.Function) (oneInput, finding.List, error) {
	out := oneInput{in: o.newReader(), function: function}
	var found, more finding.List
	if out.items, found = out.in.readOne(paths, function); found.Failed() {
		return out, found, nil
	}
	var err error
	out.input, more, err = out.in.preparePaths(&out.function, paths, out.items)
	return out, append(found, more...), err
}

// Rendered is what a run renders of an input.
type Rendered struct {
	Items   []*yaml.RNode
	Texts   manifest.Texts
	Ignored map[string]int // how many findings each exception hides, by the name of the exception
	// MayBeEmpty says that the input is one kustomization, of which kustomize makes nothing, either.
	MayBeEmpty bool
}

// Render renders the paths of one cluster. After an error among the findings there is nothing to print.
func (o *Options) Render(ctx context.Context, paths []string, function engine.Function) (Rendered, finding.List, error) {
	one, found, err := o.readPrepared(paths, function)
	in := one.in
	if err != nil || found.Failed() {
		return Rendered{}, in.located(found.Sorted()), err
	}
	made, more := one.function.Render(ctx, one.input.items, one.input.steps)
	out := Rendered{Texts: in.manifests.Texts, MayBeEmpty: len(in.builds) == 1 && len(in.paths) == 1}
	if out.Items, err = in.built.Finish(made.Items, one.items, made.Added); err != nil {
		return Rendered{}, nil, err
	}
	applied := made.Exceptions.Apply(found)
	found = in.located(slices.Concat(applied.List, more).Sorted())
	if found.Failed() {
		return Rendered{}, found, nil
	}
	out.Ignored = applied.Ignored
	for by, n := range made.Ignored {
		out.Ignored[by] += n
	}
	if o.Literal {
		err = flux.Literal(out.Items)
	}
	return out, found, err
}

// Forecast predicts what the operators do with the CRs of paths, and returns the items of the input, too.
func (o *Options) Forecast(
	paths []string, function engine.Function, admission prediction.Admission,
) ([]forecast.Prediction, []*yaml.RNode, finding.List, error) {
	one, found, err := o.readPrepared(paths, function)
	if err != nil || found.Failed() {
		return nil, nil, one.in.located(found), err
	}
	list, more := one.function.Predict(one.input.items, one.input.steps, admission)
	return list, one.input.items, one.in.located(append(found, more...)), nil
}
