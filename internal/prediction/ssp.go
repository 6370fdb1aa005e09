package prediction

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// isSSP reports whether an object is an SSP CR for the cluster.
func isSSP(o object.Object) bool {
	return forecast.IsSSP(o.At.APIVersion, o.At.Kind) && !object.IsLocal(o.Node) && !object.IsLocal(o.Item)
}

// SSPs returns the SSP CRs of the items.
func SSPs(items []*yaml.RNode) []object.Object {
	return slices.DeleteFunc(object.All(items), func(o object.Object) bool { return !isSSP(o) })
}

// predictSSP predicts what SSP and CDI do with an SSP CR, without HCO. SSP's own
// webhook is the only admission that it predicts.
func (in inputs) predictSSP(o object.Object, spec *settings.Settings) (forecast.Prediction, finding.List) {
	out := forecast.Prediction{Object: o.At}
	data, err := o.JSON()
	if err != nil {
		return out, finding.List{o.Unreadable(err)}
	}
	cr, err := forecast.ParseSSP(data)
	if err != nil {
		return out, finding.List{o.Unreadable(err)}
	}
	found := object.DuplicateKeys(o)
	spec, _ = in.Live.WithRelease(spec)
	at := &hyperconverged.CR{Namespace: cr.Metadata.Namespace}
	out.Forecast = forecast.PredictSSP(cr, forecast.Input{
		Namespace: plan.GoldenNamespace(at, spec), Release: spec.Release, Platform: spec.Platform, Existing: in.existing, OutcomesOnly: in.outcomesOnly,
	})
	return out, found
}

// predictSSPs adds the predictions of the SSP CRs of the items.
func (in inputs) predictSSPs(items []*yaml.RNode, spec *settings.Settings) ([]forecast.Prediction, finding.List) {
	var out []forecast.Prediction
	var found finding.List
	for _, o := range SSPs(items) {
		one, list := in.predictSSP(o, spec)
		found = append(found, list...)
		if !list.Failed() {
			out = append(out, one)
		}
	}
	return out, found
}

// IsOfSSP reports whether a prediction is about an SSP CR.
func IsOfSSP(f forecast.Prediction) bool { return forecast.IsSSP(f.Object.APIVersion, f.Object.Kind) }
