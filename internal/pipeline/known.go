package pipeline

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// Known is what the items, the live CR and the options say about the cluster of a CR.
type Known struct {
	// Workload and ControlPlane are the architectures of the nodes, as a configuration
	// states them: those that the workload placement selects are computed from them.
	Workload, ControlPlane arch.Set
	// ControlPlaneUnknown says that nothing states the control plane.
	ControlPlaneUnknown bool
	// Release is the release of HCO or CNV.
	Release v1alpha1.Release
	// HasNodeFacts and HasConfig say that the items themselves have them.
	HasNodeFacts, HasConfig bool
	// CRs are the HyperConverged CRs.
	CRs []finding.Object
}

// Known reads what is known about the cluster of the CR among the items. It decides
// nothing and queries no registry.
func (f Function) Known(items []*yaml.RNode, steps []Step) (Known, finding.List) {
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return Known{}, found
	}
	step := deciding(all)
	config := step.config
	nodes, wrong := input.ReadNodes(f.Nodes)
	in, list := input.Read(step.input(items), input.Nodes{}, config.Spec.Lock.Mode, f.crs)
	live, more := livecr.Read(f.Live, in.Objects)
	found = append(slices.Concat(found, wrong, list), more...)
	out := Known{ControlPlaneUnknown: true, HasNodeFacts: len(in.Facts) > 0, HasConfig: config.Name != ""}
	for _, o := range in.Objects {
		out.HasConfig = out.HasConfig || kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind)
	}
	for _, cr := range in.CRs {
		out.CRs = append(out.CRs, cr.At)
	}
	if len(in.CRs) != 1 || found.Failed() {
		return out, found
	}
	in.Facts = append(in.Facts, nodes.Facts...)
	in.Live = live
	spec, more := step.source().WithReleaseOf(live.ForAny(in.CRObjects()), config.Settings)
	found = append(found, more...)
	out.Release = spec.Release
	images, _ := subject.NewImages(in.Streams, spec)
	joined, list := subject.Join(in, images, spec)
	for _, f := range list {
		if f.ID == finding.LivePlacement || f.ID == finding.LiveOther || f.ID == finding.NodeFactsDisagree || f.ID == finding.StatedUnmatchable {
			found = append(found, f)
		}
	}
	for _, s := range joined {
		out.Workload, out.ControlPlane = s.Cluster.Workload, s.Cluster.ControlPlane
		out.ControlPlaneUnknown = s.Cluster.ControlPlaneUnknown
	}
	return out, found
}
