package prediction

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/livecr"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Admission says whether the prediction includes the admission of a CR.
type Admission string

// The values of --admission.
const (
	ThroughAdmission Admission = "apply"
	AsWritten        Admission = "skip"
)

// Predictor has what predictions need in addition to the items.
type Predictor struct {
	// Source is the source of the configuration.
	Source configuration.Source
	// Nodes are those that count in addition to those of the items, and WrongNodes is what is wrong with them.
	Nodes      input.Nodes
	WrongNodes finding.List
	// Live are the objects with the live CR that the user passes in addition to the items.
	Live []*yaml.RNode
	// Parsed has the CRs that the run has parsed; nil keeps none.
	Parsed *hyperconverged.Parsed
	// OutcomesOnly omits from the forecasts what is only for display.
	OutcomesOnly bool
	// Settings is the configuration, and Admission says whether admission is predicted.
	Settings  *settings.Settings
	Admission Admission
	// Images is what the run knows about images.
	Images Images
}

// All predicts what happens to each CR of the items.
func (in Inputs) All() ([]forecast.Prediction, finding.List) {
	var out []forecast.Prediction
	for _, cr := range in.crs {
		out = append(out, in.predict(cr, nil))
	}
	ssps, wrong := in.predictSSPs()
	return append(out, ssps...), append(in.found, wrong...)
}

// asWarnings turns errors into warnings: a forecast does not fail because of them.
func asWarnings(found finding.List) finding.List {
	for i := range found {
		if found[i].Severity == finding.Error {
			found[i].Severity = finding.Warning
		}
	}
	return found
}

// Prepared is what a prediction of a CR is based on.
type Prepared struct {
	// Prediction has everything but the forecast.
	forecast.Prediction
	// Input is nil if the operators get no CR.
	Input *forecast.Input
}

// Prepare returns what the prediction of each CR of the items is based on.
func (in Inputs) Prepare() ([]Prepared, finding.List) {
	var out []Prepared
	for _, cr := range in.crs {
		one, _ := in.prepare(cr, nil)
		out = append(out, one)
	}
	return out, in.found
}

// WithGate predicts what happens to a CR whose multi-arch gate is on or off. The zero prediction is that of a CR that the items
// do not have.
func (in Inputs) WithGate(at finding.Object, on bool) forecast.Prediction {
	o, ok := in.places[at]
	if !ok {
		return forecast.Prediction{}
	}
	prepared, live := in.prepare(o, nil)
	if prepared.Input != nil {
		cr := *prepared.Input.CR
		cr.Gate = hyperconverged.Gate{Field: &on}
		prepared.Input.CR = &cr
	}
	return prepared.predict(o, live)
}

// predict predicts what happens to a CR. It reads the CR from data, or from the object
// if data is nil.
func (in Inputs) predict(o object.Object, data []byte) forecast.Prediction {
	prepared, live := in.prepare(o, data)
	return prepared.predict(o, live)
}

// predict completes a prediction, with the live CR that shows the CR.
func (prepared Prepared) predict(o object.Object, live livecr.CR) forecast.Prediction {
	out := prepared.Prediction
	if prepared.Input == nil {
		return out
	}
	out.Forecast = forecast.Predict(*prepared.Input)
	if out.Forecast.NoImagesBecause == "" && out.Forecast.Error == "" {
		cr := prepared.Input.CR
		warn := func(list finding.List) { out.Warnings = append(out.Warnings, o.Locate(asWarnings(list))...) }
		warn(plan.Documented(cr, prepared.Input.Table, cr.Gate.On(), live.Live))
		warn(unknownDefault(placesOf(cr), out.Forecast))
	}
	return out
}

// prepare collects what the prediction of a CR is based on, and returns the live CR that
// shows it.
func (in Inputs) prepare(o object.Object, data []byte) (Prepared, livecr.CR) {
	spec, _ := in.Live.ForAny([]object.Object{o}).WithRelease(in.of.Settings)
	out := Prepared{Prediction: forecast.Prediction{Object: o.At}}
	warn := func(list finding.List) { out.Warnings = append(out.Warnings, o.Locate(asWarnings(list))...) }
	if data == nil {
		var err error
		if data, err = input.JSON(o, in.Parsed); err != nil {
			warn(finding.List{o.Unreadable(err)})
			return out, livecr.CR{}
		}
	}
	data, unknown := in.Parsed.Filled(data)
	warn(input.FilledByFlux(unknown))
	warn(object.DuplicateKeys(o))
	if !spec.Release.Declared() {
		warn(finding.List{newestRelease()})
	}
	var cr *hyperconverged.CR
	if in.of.Admission == ThroughAdmission {
		asked := admission.Input{CR: data, Parsed: in.Parsed, Release: spec.Release}
		written, _ := in.Parsed.Parse(data)
		if written != nil {
			live, _ := in.Live.For(written)
			written = live.WithNamespace(written)
			asked.Table = join.Table(written, in.Input, spec, live.Live)
		}
		result, err := admission.Admit(asked)
		if err != nil {
			warn(finding.List{o.Unreadable(err)})
			return out, livecr.CR{}
		}
		out.Admission = &admission.Result{Admission: result.Admission, SchemaErrors: result.SchemaErrors} // what is stored is large
		warn(webhookWarnings(result.Admission, written, data, spec.Release))
		if result.Model == nil {
			return out, livecr.CR{}
		}
		data, cr = result.Stored, result.Model
	} else {
		var unreadable finding.List
		if cr, unreadable = in.Parsed.Parse(data); cr == nil {
			warn(unreadable)
			return out, livecr.CR{}
		}
	}
	live, other := in.Live.For(cr)
	warn(other)
	cr = live.WithNamespace(cr)
	architectures, list := join.Cluster(in.Input, o, cr, live, spec.Cluster, "")
	list = withoutIntended(list, architectures, spec)
	warn(list)
	built := join.Table(cr, in.Input, spec, live.Live)
	compare := live.Live
	if len(architectures.Workload) == 0 && list.Has(finding.LivePlacement) {
		compare = nil // without nodes, there is nothing to compare
	}
	out.Input = &forecast.Input{
		CR: cr, Table: built, Cluster: architectures, Schedule: live.ScheduleFor(data), Namespace: plan.GoldenNamespace(cr, spec),
		Release: spec.Release, Platform: spec.Platform, Existing: in.existing, Live: compare, LiveRelease: live.HCO,
		Images: in.of.Images[kinds.Identity(o.At)], OutcomesOnly: in.of.OutcomesOnly,
	}
	return out, live
}

// withoutIntended removes the finding that the placement rules out stated architectures
// if spec.singleArchitecture requires exactly that.
func withoutIntended(found finding.List, a cluster.Architectures, spec *settings.Settings) finding.List {
	if single := arch.NamedOne(spec.SingleArchitecture); single == "" || !a.Workload.Equal(arch.NewSet(single)) {
		return found
	}
	return slices.DeleteFunc(found, join.IsUnmatchable)
}

func newestRelease() finding.Finding {
	return finding.Finding{
		ID: finding.ReleaseNeeded, Severity: finding.Warning,
		Text: fmt.Sprintf("no release is declared, so the prediction is for HCO %s, the newest release that goldenarch knows", v1alpha1.NewestVerified()),
		Do:   `declare it: --release 1.19 (or the release of OpenShift Virtualization, 5.0)`,
	}
}

// Inputs is what predictions need of items.
type Inputs struct {
	input.Input
	of       Predictor
	crs      []object.Object
	places   map[finding.Object]object.Object // the CRs, the first of several at a place
	existing []forecast.Existing              // in the cluster
	found    finding.List
}

// Read collects CRs, node facts and existing objects of the cluster from the items. It reports facts
// that cannot be read, and uses the others.
func (p Predictor) Read(items []*yaml.RNode) Inputs {
	in := Inputs{of: p, places: map[finding.Object]object.Object{}, Input: input.New(p.Nodes, items, p.Parsed)}
	found := kinds.ReportSimilar(in.Objects)
	for _, o := range in.Objects {
		switch {
		case kinds.IsCR(o):
			in.crs = append(in.crs, o)
			if _, known := in.places[o.At]; !known {
				in.places[o.At] = o
			}
		case kinds.HasNodeFacts(o):
			found = append(found, in.AddFacts(o)...)
		case imagestream.Is(o.At.APIVersion, o.At.Kind):
			found = append(found, in.AddStream(o)...)
		}
		if o.At.Kind != forecast.KindPVC && o.At.Kind != forecast.KindDataSource {
			continue
		}
		if tree, err := o.Tree(); err == nil {
			if e, ok := forecast.ReadExisting(tree); ok {
				in.existing = append(in.existing, e)
			}
		}
	}
	live, wrongLive := livecr.Read(p.Live, p.Source.MayBeLive(in.Objects))
	in.Live = live
	_, ofRelease := p.Source.WithReleaseOf(live.ForAny(in.crs), p.Settings)
	stated, _ := cluster.FromConfig(p.Settings.Cluster)
	in.found = slices.Concat(p.WrongNodes, wrongLive, ofRelease, asWarnings(in.WithoutPools(found, stated)))
	return in
}

// SSPs returns the SSP CRs among objects that are for the cluster.
func SSPs(objects []object.Object) []object.Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o object.Object) bool {
		return !forecast.IsSSP(o.At.APIVersion, o.At.Kind) || o.IsLocal()
	})
}

// predictSSP predicts what SSP and CDI do with an SSP CR, without HCO. SSP's own
// webhook is the only admission that it predicts.
func (in Inputs) predictSSP(o object.Object) (forecast.Prediction, finding.List) {
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
	spec, _ := in.Live.WithRelease(in.of.Settings)
	at := &hyperconverged.CR{Namespace: cr.Metadata.Namespace}
	out.Forecast = forecast.PredictSSP(cr, forecast.Input{
		Namespace: plan.GoldenNamespace(at, spec), Release: spec.Release, Platform: spec.Platform, Existing: in.existing, OutcomesOnly: in.of.OutcomesOnly,
	})
	return out, found
}

// predictSSPs adds the predictions of the SSP CRs of the items.
func (in Inputs) predictSSPs() ([]forecast.Prediction, finding.List) {
	var out []forecast.Prediction
	var found finding.List
	for _, o := range SSPs(in.Objects) {
		one, list := in.predictSSP(o)
		found = append(found, list...)
		if !list.Failed() {
			out = append(out, one)
		}
	}
	return out, found
}

// IsOfSSP reports whether a prediction is about an SSP CR.
func IsOfSSP(f forecast.Prediction) bool { return forecast.IsSSP(f.Object.APIVersion, f.Object.Kind) }

// OfClusters returns a prediction for each cluster: an SSP CR beside another CR is of the same
// cluster.
func OfClusters(list []forecast.Prediction) []forecast.Prediction {
	if len(list) == 1 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), IsOfSSP)
}

// Images is what is known about the images of templates, by the identity of the CR and
// the name of the template.
type Images map[string]map[string]forecast.Image

// ImagesOf returns what a run knows about the images of templates.
func ImagesOf(d join.Decided) Images {
	out := Images{}
	for i, s := range d.Joined {
		known := map[string]forecast.Image{}
		for _, p := range d.Plans[i].Proofs {
			known[p.Name] = forecast.Image{Name: p.Image, Architectures: p.Architectures, Digest: p.Digest, Single: p.Single}
		}
		out[kinds.Identity(s.At)] = known
	}
	return out
}

// OfWritten predicts what the operators do with the CRs as goldenarch writes them. For
// each CR it uses its edited item, or the item itself. An alert is a warning: goldenarch has
// written what it can.
func OfWritten(d join.Decided, edited map[*yaml.RNode]*yaml.RNode, spec *settings.Settings, crs *hyperconverged.Parsed) finding.List {
	list, known := d.Joined, ImagesOf(d)
	var found finding.List
	for i := range list {
		one, err := ofWritten(Watched{Joined: list[i], Images: known[kinds.Identity(list[i].At)]}, edited[list[i].Item], spec, crs)
		if err != nil {
			return finding.List{list[i].Unreadable(err)}
		}
		found = append(found, one...)
	}
	return found
}

// ofWritten predicts what the operators do with one CR, which is in the edited copy of
// its item or in the item itself.
func ofWritten(w Watched, edited *yaml.RNode, spec *settings.Settings, crs *hyperconverged.Parsed) (finding.List, error) {
	s := w.Joined
	written := s.Object
	if edited != nil {
		written.Item, written.Node = edited, s.InCopy(edited)
	}
	data, err := input.JSON(written, crs)
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
	w.Forecast, w.Joined.CR = f, cr
	return s.Locate(append(Findings(placesOf(cr), f), asWarnings(w.Alerts())...)), nil
}
