package pipeline

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/prediction"
)

// Predict predicts what the operators do with each CR of the items, unchanged, with what the
// configuration of the step about golden images says of the cluster. It
// queries no registry and decides nothing. [prediction.ThroughAdmission] first passes
// the CR through admission, as the cluster does. The findings are about the input; one
// of them is an error only if goldenarch cannot predict anything.
func (f Function) Predict(items []*yaml.RNode, steps []Step, how prediction.Admission) ([]forecast.Prediction, finding.List) {
	f.crs = &hyperconverged.Parsed{}
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return nil, found
	}
	step := deciding(all)
	items = step.input(items)
	out, list := step.predictor().All(items, step.config.Settings, how, nil)
	partly := step.predictor().Partly(items, step.config.Settings, how, nil)
	for i, one := range out {
		out[i].Warnings = prediction.Fold(one.Warnings)
		if wrong := partly.RefusedTemplates(one); len(wrong) > 0 {
			out[i].Partial = partly.Without(nil, one.Object, wrong)
		}
	}
	if found = append(found, list...); len(out) == 0 {
		f := noCR(found, object.All(items))
		f.Severity, f.Text = finding.Error, "the input has no HyperConverged or SSP CR, so there is nothing to predict"
		return nil, append(found, f)
	}
	return out, found
}
