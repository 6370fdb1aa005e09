package prediction

import (
	"cmp"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/admission"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// All predicts what happens to each CR of the items.
func (p Predictor) All(items []*yaml.RNode, spec *settings.Settings, how Admission, known Images) ([]forecast.Prediction, finding.List) {
	in := p.readInputs(items, spec)
	var out []forecast.Prediction
	for _, cr := range in.crs {
		out = append(out, in.predict(cr, nil, spec, how, known))
	}
	ssps, wrong := in.predictSSPs(items, spec)
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

// predict predicts what happens to a CR. It reads the CR from data, or from the object
// if data is nil.
func (in inputs) predict(o object.Object, data []byte, spec *settings.Settings, how Admission, known Images) forecast.Prediction {
	spec, _ = in.Live.ForAny([]object.Object{o}).WithRelease(spec)
	out := forecast.Prediction{Object: o.At}
	warn := func(list finding.List) { out.Warnings = append(out.Warnings, o.Locate(asWarnings(list))...) }
	if data == nil {
		var err error
		if data, err = o.JSON(); err != nil {
			warn(finding.List{o.Unreadable(err)})
			return out
		}
	}
	warn(object.DuplicateKeys(o))
	if !spec.Release.Declared() {
		warn(finding.List{newestRelease()})
	}
	if how == ThroughAdmission {
		asked := admission.Input{CR: data, Parsed: in.Parsed, Release: spec.Release}
		written, _ := in.Parsed.Parse(data)
		if written != nil {
			live, _ := in.Live.For(written)
			written = live.WithNamespace(written)
			asked.Table = subject.Table(written, spec, in.images, live)
		}
		result, err := admission.Admit(asked)
		if err != nil {
			warn(finding.List{o.Unreadable(err)})
			return out
		}
		out.Admission = &result
		warn(webhookWarnings(result.Admission, written))
		if result.Stored == nil {
			return out
		}
		data = result.Stored
	}
	cr, unreadable := in.Parsed.Parse(data)
	if cr == nil {
		warn(unreadable)
		return out
	}
	live, other := in.Live.For(cr)
	warn(other)
	cr = live.WithNamespace(cr)
	shown, about := live.NodeFacts(cr)
	facts := slices.Concat(in.Facts, shown)
	if !in.Nodes.NoStatus {
		facts = livecr.AddDumped(o, facts)
	}
	architectures, list := subject.Architectures(cr, facts, "")
	warn(livecr.AddNodeFinding(withoutIntended(list, architectures, spec), about, in.Facts))
	built := subject.Table(cr, spec, in.images, live)
	compare := live.Model()
	if len(architectures.Workload) == 0 && about != nil {
		compare = nil // without nodes, there is nothing to compare
	}
	out.Forecast = forecast.Predict(forecast.Input{
		CR: cr, Table: built, Cluster: architectures, Schedule: cmp.Or(live.PickedSchedule(), livecr.ScheduleOf(data)), Namespace: plan.GoldenNamespace(cr, spec),
		Release: spec.Release, Platform: spec.Platform, Existing: in.existing, Live: compare, LiveRelease: live.KnownRelease(),
		Images: known[kinds.Identity(o.At)], OutcomesOnly: in.outcomesOnly,
	})
	if out.Forecast.NoImagesBecause == "" && out.Forecast.Error == "" {
		warn(plan.Documented(cr, built, cr.Gate.On(), live.Model()))
		warn(unknownDefault(pathsOf(cr), out.Forecast))
	}
	return out
}

// withoutIntended removes the finding that the placement rules out stated architectures
// if spec.singleArchitecture requires exactly that.
func withoutIntended(found finding.List, a cluster.Architectures, spec *settings.Settings) finding.List {
	if single := arch.NamedOne(spec.SingleArchitecture); single == "" || !a.Workload.Equal(arch.NewSet(single)) {
		return found
	}
	return slices.DeleteFunc(found, subject.IsUnmatchable)
}

func newestRelease() finding.Finding {
	return finding.Finding{
		ID: finding.ReleaseNeeded, Severity: finding.Warning,
		Text: fmt.Sprintf("no release is declared, so the prediction is for HCO %s, the newest release that goldenarch knows", v1alpha1.NewestVerified()),
		Do:   `declare it: --release 1.19 (or the release of OpenShift Virtualization, 4.23)`,
	}
}
