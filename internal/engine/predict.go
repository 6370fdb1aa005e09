package engine

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Predict predicts what the operators do with each CR of the items, unchanged, with what the
// configuration of the step about golden images says of the cluster. It
// queries no registry and decides nothing. [prediction.ThroughAdmission] first passes
// the CR through admission, as the cluster does. The findings are about the input; one
// of them is an error only if goldenarch cannot predict anything.
func (f Function) Predict(items []*yaml.RNode, steps []Step, how prediction.Admission) ([]forecast.Prediction, finding.List) {
	s := f.load(items, steps, nil)
	if s.Failed() {
		return nil, s.List
	}
	step := s.deciding
	in := step.predictor(how).Read(step.input(s.items))
	out, found := in.All()
	for i, one := range out {
		out[i].Warnings = s.exceptions.Apply(prediction.Fold(one.Warnings)).List
		if wrong := in.RefusedTemplates(one); len(wrong) > 0 {
			out[i].Partial = in.Without(nil, one.Object, wrong)
		}
	}
	if s.Add(found...); len(out) > 0 {
		return out, s.report()
	}
	none := noCR(s.List, in.Objects)
	none.Severity, none.Text = finding.Error, "the input has no HyperConverged or SSP CR, so there is nothing to predict"
	return nil, append(s.report(), none)
}

// Prepare returns what predictions of the CRs of the items are based on.
func (f Function) Prepare(items []*yaml.RNode, steps []Step, how prediction.Admission) ([]prediction.Prepared, finding.List) {
	s := f.load(items, steps, nil)
	if s.Failed() {
		return nil, s.List
	}
	step := s.deciding
	out, found := step.predictor(how).Read(step.input(s.items)).Prepare()
	s.Add(found...)
	return out, s.report()
}

// Known is what the items, the live CR and the options say about the cluster of a CR.
type Known struct {
	// Workload and ControlPlane are the architectures of the nodes, as a configuration
	// states them: those that the workload placement selects are computed from them.
	Workload, ControlPlane arch.Set
	// ControlPlaneUnknown says that nothing states the control plane.
	ControlPlaneUnknown bool
	// Release is the release of HCO or CNV.
	Release v1alpha1.Release
	// Spec is the configuration of the run.
	Spec v1alpha1.GoldenImagesSpec
	// KeepsGateOff says that a person turned off a multi-arch gate that several architectures
	// need, and that no configuration says what to do with it.
	KeepsGateOff bool
	// HasNodeFacts and HasConfig say that the items themselves have them.
	HasNodeFacts, HasConfig bool
	// CRs are the HyperConverged CRs.
	CRs []finding.Object
}

// Known reads what is known about the cluster of the CR among the items. It decides
// nothing and queries no registry.
func (f Function) Known(items []*yaml.RNode, steps []Step) (Known, finding.List) {
	s := f.load(items, steps, nil)
	if s.Failed() {
		return Known{}, s.List
	}
	step := s.deciding
	r := step.newRun(step.input(s.items))
	r.read()
	isConfig := func(o object.Object) bool { return kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) }
	out := Known{
		ControlPlaneUnknown: true, Spec: step.config.Spec,
		HasNodeFacts: len(r.in.Facts) > len(r.in.Nodes.Facts), HasConfig: step.config.Name != "" || slices.ContainsFunc(r.in.Objects, isConfig),
	}
	for _, cr := range r.in.CRs {
		out.CRs = append(out.CRs, cr.At)
	}
	if len(r.in.CRs) != 1 || r.found.Failed() {
		return out, append(s.List, r.found.List...)
	}
	joined, found := r.join()
	out.Release = r.spec.Release
	s.Add(r.found.List...)
	s.Add(slices.DeleteFunc(found, func(f finding.Finding) bool {
		return f.ID != finding.LivePlacement && f.ID != finding.LiveOther && f.ID != finding.NodeFactsDisagree && f.ID != finding.StatedUnmatchable
	})...)
	for _, one := range joined {
		out.Workload, out.ControlPlane = one.Cluster.Workload, one.Cluster.ControlPlane
		out.ControlPlaneUnknown = one.Cluster.ControlPlaneUnknown
		out.KeepsGateOff = plan.KeepsGateOff(one.Known)
	}
	return out, s.List
}

// onlySSP reports that an input without a HyperConverged has an SSP CR, which the
// function does not change.
func onlySSP() finding.Finding {
	return finding.Finding{
		ID: finding.NoCR, Severity: finding.Info,
		Text: "the input has an SSP CR and no HyperConverged CR: render changes nothing, and check predicts what SSP and CDI do without a look at the images",
		Do:   "if the cluster runs HCO, pass the HyperConverged: HCO writes the SSP CR",
	}
}

// noCR reports that the input has no CR, or that an object looks like one.
func noCR(found finding.List, objects []object.Object) finding.Finding {
	if i := slices.IndexFunc(objects, object.Object.ComparesCR); i >= 0 {
		f := nothing(finding.NoCR, fmt.Sprintf("the input has no HyperConverged CR for a cluster, and %s only compares one with the cluster's", objects[i].At),
			": everything passes through unchanged", "pass the file or directory that has the CR")
		f.Object = objects[i].At
		return f
	}
	if found.Has(finding.KindSimilar) {
		return nothing(finding.NoCR, "the input has no HyperConverged CR, only an object that looks like one", ", so goldenarch changes nothing",
			"correct its apiVersion and kind")
	}
	return nothing(finding.NoCR, "the input has no HyperConverged CR", ", so goldenarch changes nothing", "pass the file or directory that has the CR")
}

// nothing is the finding of a run that has nothing to decide on. A check never changes anything, and says so
// otherwise.
func nothing(id finding.ID, text, changes, do string) finding.Finding {
	return finding.Finding{
		ID: id, Severity: finding.Warning, Text: text + changes, Do: do,
		Unchanged: finding.Advice{Text: text + ", so there is nothing to check", Do: do},
	}
}
