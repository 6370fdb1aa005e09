package pipeline

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/prediction"
)

// Predict predicts what the operators make of each CR of the items, as it is:
// no registry is asked and nothing is decided. [prediction.ThroughAdmission] passes it
// through admission first, as on the way to the cluster. The findings are about the
// input; one of them is an error only if nothing can be predicted at all.
func (f Function) Predict(items []*yaml.RNode, given *yaml.RNode, how prediction.Admission) ([]forecast.Prediction, finding.List) {
	f.crs = &hyperconverged.Parsed{}
	config, extra, found := f.source().Load(given, items)
	if found.Failed() {
		return nil, found
	}
	items = append(items, extra...)
	out, list := f.predictor().All(items, &config.Spec, how, nil)
	partly := f.predictor().Partly(items, &config.Spec, how, nil)
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
