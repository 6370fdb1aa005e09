package fn

import (
	"cmp"
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// Verdict is what a check says of its items.
type Verdict string

// The verdicts.
const (
	// RightAsCommitted says that the operators do the right thing with the items as they are.
	RightAsCommitted Verdict = "RightAsCommitted"
	// NothingChecked says that the items have no CR, no machine whose cluster is known, and no pods to check.
	NothingChecked Verdict = "NothingChecked"
	// NotRight says that a result is an error.
	NotRight Verdict = "NotRight"
)

// Report is what a check finds.
type Report struct {
	Verdict Verdict
	// Results are the findings, errors first. One of them is an error if the verdict is NotRight, or nothing was checked and the items
	// cannot be read.
	Results framework.Results
	// Predictions are those for the CRs, in the order of the items.
	Predictions []Prediction
}

// Prediction is what HCO, SSP and CDI do with a CR.
type Prediction struct {
	// Object is the CR: a HyperConverged, or an SSP.
	Object yaml.ResourceIdentifier
	// Refused are the reasons why the API server or the webhooks of HCO refuse the CR. The other fields then are empty.
	Refused []string
	// Failed is why HCO or SSP stops at the CR; "" if neither does.
	Failed string
	// WorkloadArchitectures and ControlPlaneArchitectures are those of the nodes, as HCO computes them.
	WorkloadArchitectures, ControlPlaneArchitectures []string
	// MultiArchEnabled says whether the multi-arch gate is on.
	MultiArchEnabled bool
	// Templates are what becomes of the golden images.
	Templates []Template
	// Alerts are the names of the alerts of HCO that fire, each once.
	Alerts []string
	// Caveats are what the prediction does not cover.
	Caveats []string
}

// Template is what becomes of a golden image.
type Template struct {
	Name string
	// Outcome is such as deployed; Why says more.
	Outcome, Why string
	// Architectures are those for which there is a boot source of its own; none if there is one for the architecture of some node.
	Architectures []string
	// DataSource is the name of the default DataSource, or the prefix of the names of those for the architectures.
	DataSource string
	// DefaultArchitecture is the architecture of the default DataSource; "" if it is not known, or if there is none.
	DefaultArchitecture string
}

// Check judges the items as they are committed: what [Function] would change, what the API server and the operators do with the CRs, and
// which machines start. It does not change the items. The configuration, node facts and the lock are among the items, as
// for the function. The error says that the options are wrong; what is wrong with the items is in the report.
func Check(ctx context.Context, items []*yaml.RNode, o Options) (Report, error) {
	function, err := o.function()
	if err != nil {
		return Report{}, err
	}
	checked := function.Check(ctx, copies(items), engine.Given(nil))
	checked.Except()
	found := append(checked.Findings, finding.UnusedOf(checked.Stated)...).Sorted()
	return Report{Verdict: verdictOf(checked, found), Results: resultsOf(found), Predictions: predictions(checked.Forecast)}, nil
}

// verdictOf returns the verdict of a check.
func verdictOf(checked check.Result, found finding.List) Verdict {
	return Verdict(checked.Verdict(found.Failed(), len(checked.CRs)+len(checked.Pods) > 0 || len(checked.Machines) > 0 && checked.MachinesKnown))
}

// Forecast predicts what the operators do with the CRs among the items, as they are. It believes their declared architectures and queries no
// registry. Of the results, one is an error only if nothing can be predicted; a CR that is refused is a prediction. The error
// says that the options are wrong.
func Forecast(items []*yaml.RNode, o Options) ([]Prediction, framework.Results, error) {
	function, err := o.function()
	if err != nil {
		return nil, nil, err
	}
	list, found := function.Predict(copies(items), engine.Given(nil), prediction.ThroughAdmission)
	return predictions(list), resultsOf(found.Sorted()), nil
}

// copies returns copies of items.
func copies(items []*yaml.RNode) []*yaml.RNode {
	out := make([]*yaml.RNode, len(items))
	for i, item := range items {
		out[i] = item.Copy()
	}
	return out
}

// predictions returns predictions as programs outside of this module know them.
func predictions(list []forecast.Prediction) []Prediction {
	var out []Prediction
	for _, one := range list {
		at := one.Object
		p := Prediction{Object: yaml.ResourceIdentifier{
			TypeMeta: yaml.TypeMeta{APIVersion: at.APIVersion, Kind: at.Kind}, NameMeta: yaml.NameMeta{Name: at.Name, Namespace: at.Namespace},
		}}
		for _, refusal := range one.Refusals() {
			p.Refused = append(p.Refused, refusal.String())
		}
		if f := one.Shown(); f != nil {
			p.add(*f)
		}
		out = append(out, p)
	}
	return out
}

// add adds what the operators do with a CR that they get.
func (p *Prediction) add(f forecast.Forecast) {
	p.Failed = cmp.Or(f.Error, f.SSPRejected, f.SSPError)
	if p.Failed == "" && f.Blocked != nil {
		p.Failed = f.Blocked.String()
	}
	p.WorkloadArchitectures, p.ControlPlaneArchitectures = f.WorkloadArchitectures, f.ControlPlaneArchitectures
	p.MultiArchEnabled, p.Caveats = f.MultiArchEnabled, f.Caveats
	for _, t := range f.Templates {
		p.Templates = append(p.Templates, Template{
			Name: t.Name, Outcome: string(t.Outcome), Why: t.Why, Architectures: t.Architectures,
			DataSource: t.ManagedDataSource, DefaultArchitecture: t.DefaultArchitecture,
		})
	}
	for _, alert := range f.Alerts {
		if !slices.Contains(p.Alerts, alert.Name) {
			p.Alerts = append(p.Alerts, alert.Name)
		}
	}
}
