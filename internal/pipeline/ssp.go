package pipeline

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// isSSP reports whether an object is an SSP CR for the cluster.
func isSSP(o object) bool {
	return forecast.IsSSP(o.at.APIVersion, o.at.Kind) && !isLocal(o.node) && !isLocal(o.item)
}

// ssps returns the SSP CRs of the items.
func ssps(items []*yaml.RNode) []object {
	return slices.DeleteFunc(objects(items), func(o object) bool { return !isSSP(o) })
}

// foretellSSP predicts what SSP and CDI make of an SSP CR: there is no HCO before
// them. SSP's own webhook is the only admission that is predicted.
func (in predictionInput) foretellSSP(o object, spec *v1alpha1.GoldenImagesSpec) (forecast.Foretold, finding.List) {
	out := forecast.Foretold{Object: o.at}
	data, err := o.json()
	if err != nil {
		return out, finding.List{o.unreadable(err)}
	}
	cr, err := forecast.ParseSSP(data)
	if err != nil {
		return out, finding.List{o.unreadable(err)}
	}
	found := duplicateKeys(o)
	spec, _ = in.live.released(spec)
	at := &hyperconverged.CR{Namespace: cr.Metadata.Namespace}
	out.Forecast = forecast.PredictSSP(cr, forecast.Input{
		Namespace: plan.GoldenNamespace(at, spec), Release: spec.ParsedRelease(), Platform: spec.Platform, Existing: in.standing,
	})
	return out, found
}

// predictSSPs adds the predictions of the SSP CRs of the items.
func (in predictionInput) predictSSPs(items []*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) ([]forecast.Foretold, finding.List) {
	var out []forecast.Foretold
	var found finding.List
	for _, o := range ssps(items) {
		one, list := in.foretellSSP(o, spec)
		found = append(found, list...)
		if !list.Failed() {
			out = append(out, one)
		}
	}
	return out, found
}

// judgeSSP reports what goes wrong with an SSP CR: what SSP refuses or stops at is
// an error, since the CR itself says which architectures the cluster has.
func (c *Checked) judgeSSP(f forecast.Foretold) {
	for _, why := range f.Forecast.Failures() {
		c.Findings = append(c.Findings, finding.Finding{
			ID: finding.SSPStops, Severity: finding.Error, Object: f.Object, Text: why, Do: "correct the CR",
		})
	}
	paths := templatePaths{list: forecast.SSPTemplatesPath, of: map[string]string{}}
	for _, t := range f.Forecast.Templates {
		paths.of[t.Name] = fmt.Sprintf("%s[%d]", forecast.SSPTemplatesPath, t.Index)
	}
	for _, one := range foreseenAt(paths, f.Forecast) {
		one.Object = f.Object
		c.Findings = append(c.Findings, one)
	}
}

// onlySSP says of an input without a HyperConverged that it has an SSP CR, which
// the function does not change.
func onlySSP() finding.Finding {
	return finding.Finding{
		ID: finding.NoCR, Severity: finding.Info,
		Text: "the input has an SSP CR and no HyperConverged CR: render passes everything through unchanged, and check predicts what SSP and CDI do",
		Do:   "nothing, if HCO is not on the cluster; else pass the HyperConverged, from which HCO writes the SSP CR",
	}
}

// isOfSSP reports whether a prediction is that of an SSP CR.
func isOfSSP(f forecast.Foretold) bool { return forecast.IsSSP(f.Object.APIVersion, f.Object.Kind) }
