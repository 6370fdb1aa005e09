package prediction

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// OfWritten predicts what the operators do with the CRs as goldenarch writes them. For
// each CR it uses its edited item, or the item itself.
func OfWritten(list []subject.Subject, edited map[*yaml.RNode]*yaml.RNode, spec *settings.Settings, crs *hyperconverged.Parsed) finding.List {
	each := make([]finding.List, len(list))
	errs := make([]error, len(list))
	parallel.Each(len(list), func(i int) { each[i], errs[i] = ofWritten(list[i], edited[list[i].Item], spec, crs) })
	for i, err := range errs {
		if err != nil {
			return finding.List{list[i].Unreadable(err)}
		}
	}
	return slices.Concat(each...)
}

// ofWritten predicts what the operators do with one CR, which is in the edited copy of
// its item or in the item itself.
func ofWritten(s subject.Subject, edited *yaml.RNode, spec *settings.Settings, crs *hyperconverged.Parsed) (finding.List, error) {
	written := s.Object
	if edited != nil {
		written.Item, written.Node = edited, s.InCopy(edited)
	}
	data, err := written.JSON()
	if err != nil {
		return nil, err
	}
	parsed, _ := crs.Parse(data)
	if parsed == nil {
		return nil, nil // the run has reported the problem
	}
	cr := parsed.In(s.CR.Namespace)
	f := forecast.Predict(forecast.Input{
		CR: cr, Table: s.Table, Cluster: s.Cluster, Namespace: plan.GoldenNamespace(cr, spec),
		Release: spec.Release, Platform: spec.Platform, OutcomesOnly: true,
	})
	return s.Locate(findingsOf(cr, f)), nil
}

// WithoutKnownAlert removes the alert that a warning about the gate already names.
func WithoutKnownAlert(predicted, found finding.List) finding.List {
	known := map[finding.Object]bool{}
	for _, f := range found {
		known[f.Object] = known[f.Object] || f.ID == finding.GateKeptOff
	}
	return slices.DeleteFunc(predicted, func(f finding.Finding) bool {
		return f.ID == finding.AlertFires && known[f.Object] && strings.Contains(f.Text, forecast.MultiArchDisabled)
	})
}
