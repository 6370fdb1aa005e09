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

// readOne reads the paths of a verb that is for one cluster, and what counts for them.
func (o *Options) readOne(paths []string, function engine.Function) (input, finding.List, error) {
	in := o.newReader()
	in.choose = func(dir string) string { return in.oneOf(dir, function) }
	items, found := in.read(paths)
	if found.Failed() {
		return input{reader: in}, found, nil
	}
	t, more := in.target(paths)
	out, wrong, err := in.prepareTarget(function, t, items)
	return out, slices.Concat(found, more, wrong), err
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
	in, found, err := o.readOne(paths, function)
	if err != nil || found.Failed() {
		return Rendered{}, in.located(found.Sorted()), err
	}
	made, more := in.function.Render(ctx, in.items, in.steps)
	out := Rendered{Texts: in.manifests.Texts, MayBeEmpty: len(in.builds) == 1 && len(in.paths) == 1}
	if out.Items, err = in.built.Finish(made.Items, in.items, made.Added); err != nil {
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
	in, found, err := o.readOne(paths, function)
	if err != nil || found.Failed() {
		return nil, nil, in.located(found), err
	}
	list, more := in.function.Predict(in.items, in.steps, admission)
	return list, in.items, in.located(append(found, more...)), nil
}
