package subject

import (
	"slices"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
)

// Subject is a CR with all that is known about it before goldenarch queries any image.
type Subject struct {
	input.Resource
	plan.Subject
	Questions []plan.Question
}

// Join joins each CR with its cluster and the templates that its HCO has built in, and
// reports problems of the CR.
func Join(in input.Input, images Images, spec *settings.Settings) ([]Subject, finding.List) {
	var out []Subject
	var found finding.List
	for _, cr := range in.CRs {
		live, list := in.Live.For(cr.Model)
		cr.Model = live.WithNamespace(cr.Model)
		s := Subject{Resource: cr, Subject: plan.Subject{
			CR: cr.Model, Table: Table(cr.Model, spec, images, live), Streams: images.Streams, References: images.References, Spec: spec, Live: live.Model(),
			LiveGateOn: live.IsGateOn(),
		}}
		list = append(list, hyperconverged.Refused(s.CR, s.Table)...)
		list = append(list, hyperconverged.Lint(s.CR, s.Table)...)
		refused := refusedPlacement(s.CR)
		list = append(list, refused...)
		architectures, more := clusterOf(in, cr, live, spec)
		if refused.Failed() { // the effect of an invalid placement does not matter
			more = slices.DeleteFunc(more, IsUnmatchable)
		}
		s.Cluster = architectures
		list = append(list, more...)
		if spec.Platform == v1alpha1.OpenShift {
			list = append(list, cluster.Refused(architectures)...)
		} else if spec.Expand.Mode == v1alpha1.ExpandNone {
			list = append(list, noGoldenImages())
		}
		found = append(found, cr.Locate(list)...)
		s.Questions = plan.Questions(s.Subject)
		out = append(out, s)
	}
	return out, found
}

func noGoldenImages() finding.Finding {
	return finding.Finding{
		ID: finding.NoGoldenImages, Severity: finding.Info,
		Text: "HCO makes no golden images on plain Kubernetes, because SSP, which imports them, runs only on OpenShift",
		Do:   "set spec.expand.mode: Emit, so that goldenarch emits them",
	}
}
