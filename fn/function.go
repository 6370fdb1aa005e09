package fn

import (
	"context"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Function is goldenarch as a processor. The zero Function suits most users: it reads the
// configuration of the ResourceList and queries the registries.
type Function struct{ Options }

var _ framework.ResourceListProcessor = Function{}

// ErrFindings is the error of a run that found errors. The results contain the findings.
var ErrFindings = engine.ErrFindings

// Process implements [framework.ResourceListProcessor]. It uses only the items and the
// configuration of the list, and adds its findings to the results. If one of them is an
// error, Process returns [ErrFindings] and leaves the items unchanged. Any other error says that the options are wrong.
func (f Function) Process(rl *framework.ResourceList) error {
	return f.WithContext(context.Background()).Process(rl)
}

// WithContext returns a processor that stops when the context ends.
func (f Function) WithContext(ctx context.Context) framework.ResourceListProcessor {
	return framework.ResourceListProcessorFunc(func(rl *framework.ResourceList) error {
		_, err := f.process(ctx, rl)
		return err
	})
}

// process runs the function, and returns the findings that it has added to the results.
func (f Function) process(ctx context.Context, rl *framework.ResourceList) (found finding.List, err error) {
	function, err := f.function()
	if err != nil {
		return nil, err
	}
	rl.Items, found, err = function.Process(ctx, rl.Items, rl.FunctionConfig)
	rl.Results = append(rl.Results, resultsOf(found)...)
	return found, err
}

// resultsOf returns findings as the framework has them.
func resultsOf(found finding.List) framework.Results {
	var out framework.Results
	for _, r := range found.Results() {
		out = append(out, &framework.Result{
			Message: r.Message, Severity: framework.Severity(r.Severity), ResourceRef: r.ResourceRef, Tags: r.Tags,
			Field: (*framework.Field)(r.Field), File: (*framework.File)(r.File),
		})
	}
	return out
}
