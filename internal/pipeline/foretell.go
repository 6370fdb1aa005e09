package pipeline

import (
	"cmp"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Foretell foretells what the operators make of each CR of the items, as it is:
// no registry is asked and nothing is decided. With admit it goes through
// admission first, as it would on the way to the cluster. The findings are about
// the input; one of them is an error only if nothing can be foretold at all.
func (f Function) Foretell(items []*yaml.RNode, given *yaml.RNode, admit bool) ([]forecast.Foretold, finding.List) {
	config, extra, found := f.load(given, items)
	if found.Failed() {
		return nil, found
	}
	items = append(items, extra...)
	out, list := f.foretellAll(items, &config.Spec, admit, nil)
	for i, one := range out {
		if wrong := refusedTemplates(items, one); len(wrong) > 0 {
			out[i].Partial = f.foretellWithout(items, nil, one.Object, wrong, &config.Spec, admit, nil)
		}
	}
	if found = append(found, list...); len(out) == 0 {
		f := noCR(found)
		f.Severity, f.Text = finding.Error, "there is no HyperConverged or SSP CR in the input, so there is nothing to predict"
		return nil, append(found, f)
	}
	return out, found
}

// foretellAll foretells of each CR of the items.
func (f Function) foretellAll(items []*yaml.RNode, spec *v1alpha1.GoldenImagesSpec, admit bool, known images) ([]forecast.Foretold, finding.List) {
	in := f.predictionInput(items, spec)
	var out []forecast.Foretold
	for _, cr := range in.crs {
		out = append(out, in.foretell(cr, nil, spec, admit, known))
	}
	ssps, wrong := in.predictSSPs(items, spec)
	return append(out, ssps...), append(in.found, wrong...)
}

// lowered turns errors into warnings: a forecast is no judge.
func lowered(found finding.List) finding.List {
	for i := range found {
		if found[i].Severity == finding.Error {
			found[i].Severity = finding.Warning
		}
	}
	return found
}

// foretell predicts what becomes of a CR: as the data has it, or, where that is
// nil, as the object does.
func (in predictionInput) foretell(o object, data []byte, spec *v1alpha1.GoldenImagesSpec, admit bool, known images) forecast.Foretold {
	spec, _ = in.live.among([]object{o}).released(spec)
	out := forecast.Foretold{Object: o.at}
	warn := func(list finding.List) { out.Warnings = append(out.Warnings, o.own(lowered(list))...) }
	if data == nil {
		var err error
		if data, err = o.json(); err != nil {
			warn(finding.List{o.unreadable(err)})
			return out
		}
	}
	warn(duplicateKeys(o))
	if spec.Release == "" {
		warn(finding.List{newestRelease()})
	}
	if admit {
		asked := admission.Input{CR: data, Release: spec.ParsedRelease()}
		written, _ := hyperconverged.Parse(data)
		if written != nil {
			live, _ := in.live.of(written)
			written = live.inNamespace(written)
			asked.Table = table(written, spec, in.streams, live)
		}
		result, err := admission.Admit(asked)
		if err != nil {
			warn(finding.List{o.unreadable(err)})
			return out
		}
		out.Admission = &result
		warn(webhookWarnings(result.Admission, written))
		if result.Stored == nil {
			return out
		}
		data = result.Stored
	}
	cr, unreadable := hyperconverged.Parse(data)
	if cr == nil {
		warn(unreadable)
		return out
	}
	live, other := in.live.of(cr)
	warn(other)
	cr = live.inNamespace(cr)
	shown, about := live.nodeFacts(cr)
	architectures, list := architecturesOf(cr, withDump(o, slices.Concat(in.facts, shown)), "")
	warn(withLive(withoutAsked(list, architectures, spec), about, stateWorkload(in.facts)))
	built := table(cr, spec, in.streams, live)
	compare := live.model()
	if len(architectures.Workload) == 0 && about != nil {
		compare = nil // without nodes nothing can be compared
	}
	out.Forecast = forecast.Foretell(forecast.Input{
		CR: cr, Table: built, Cluster: architectures, Schedule: cmp.Or(live.schedule(), liveSchedule(data)), Namespace: plan.GoldenNamespace(cr, spec),
		Release: spec.ParsedRelease(), Platform: spec.Platform, Existing: in.standing, Live: compare, LiveRelease: live.release(),
		Images: known[identity(o.at)],
	})
	if out.Forecast.Nothing == "" && out.Forecast.Error == "" {
		warn(plan.Documented(cr, built, cr.Gate.On(), live.model()))
	}
	return out
}

// withoutAsked leaves out that the placement rules out stated architectures
// where spec.singleArchitecture asks for just that.
func withoutAsked(found finding.List, a cluster.Architectures, spec *v1alpha1.GoldenImagesSpec) finding.List {
	if single := arch.NamedOne(spec.SingleArchitecture); single == "" || !a.Workload.Equal(arch.NewSet(single)) {
		return found
	}
	return slices.DeleteFunc(found, isUnmatchable)
}

func newestRelease() finding.Finding {
	return finding.Finding{
		ID: finding.ReleaseNeeded, Severity: finding.Warning,
		Text: "no release is declared: the forecast is that of the newest release known here",
		Do:   `declare it: --release 1.19 (or the CNV release, 4.23)`,
	}
}
