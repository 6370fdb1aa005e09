package prediction

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// OfWritten tells what the operators will make of the CRs as they are written: of
// each its edited item, or the item itself.
func OfWritten(list []subject.Subject, edited map[*yaml.RNode]*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) finding.List {
	var found finding.List
	for _, s := range list {
		written := s.Object
		if item := edited[s.Item]; item != nil {
			written.Item, written.Node = item, s.InCopy(item)
		}
		data, err := written.JSON()
		if err != nil {
			return finding.List{s.Unreadable(err)}
		}
		cr, _ := hyperconverged.Parse(data)
		if cr == nil {
			continue // what is wrong with it has been told
		}
		cr.Namespace = s.CR.Namespace
		f := forecast.Predict(forecast.Input{
			CR: cr, Table: s.Table, Cluster: s.Cluster, Namespace: plan.GoldenNamespace(cr, spec),
			Release: spec.ParsedRelease(), Platform: spec.Platform, OutcomesOnly: true,
		})
		found = append(found, s.Locate(findingsOf(cr, f))...)
	}
	return found
}

// WithoutKnownAlert leaves out the alert that a warning about the gate has named.
func WithoutKnownAlert(predicted, found finding.List) finding.List {
	known := map[finding.Object]bool{}
	for _, f := range found {
		known[f.Object] = known[f.Object] || f.ID == finding.GateKeptOff
	}
	return slices.DeleteFunc(predicted, func(f finding.Finding) bool {
		return f.ID == finding.AlertFires && known[f.Object] && strings.Contains(f.Text, forecast.MultiArchDisabled)
	})
}
