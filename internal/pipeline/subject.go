package pipeline

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// subject is a CR with all that is known of it before any image is asked for.
type subject struct {
	resource
	plan.Subject
	questions []plan.Question
}

// subjects joins each CR with the cluster it is for and the templates that its
// HCO has built in, and says what is wrong with it.
func subjects(in input, spec *v1alpha1.GoldenImagesSpec) ([]subject, finding.List) {
	var out []subject
	var found finding.List
	for _, cr := range in.crs {
		live, list := in.live.of(cr.model)
		cr.model = live.inNamespace(cr.model)
		s := subject{resource: cr, Subject: plan.Subject{
			CR: cr.model, Table: table(cr.model, spec, in.streams, live), Streams: in.streams, Spec: spec, Live: live.model(),
			LiveGateOn: live.gateOn(),
		}}
		list = append(list, hyperconverged.Refused(s.CR, s.Table)...)
		list = append(list, hyperconverged.Lint(s.CR, s.Table)...)
		refused := refusedPlacement(s.CR)
		list = append(list, refused...)
		architectures, more := clusterOf(in, cr, live, spec)
		if refused.Failed() { // what such a placement rules out is of no interest
			more = slices.DeleteFunc(more, isUnmatchable)
		}
		s.Cluster = architectures
		list = append(list, more...)
		if spec.Platform == v1alpha1.OpenShift {
			list = append(list, cluster.Refused(architectures)...)
		} else if spec.Expand.Mode == v1alpha1.ExpandNone {
			list = append(list, noGoldenImages())
		}
		found = append(found, cr.own(list)...)
		s.questions = plan.Questions(s.Subject)
		out = append(out, s)
	}
	return out, found
}

// clusterOf computes the architectures of the cluster that a CR is for.
func clusterOf(in input, cr resource, live *liveCR, spec *v1alpha1.GoldenImagesSpec) (cluster.Architectures, finding.List) {
	facts := in.facts
	if stated, says := cluster.FromConfig(spec.Cluster); says {
		facts = slices.Concat([]cluster.Facts{stated}, facts)
	}
	shown, about := live.nodeFacts(cr.model)
	out, found := architecturesOf(cr.model, withDump(cr.object, slices.Concat(facts, shown)), arch.NamedOne(spec.SingleArchitecture))
	return out, withLive(found, about, stateWorkload(facts))
}

// architecturesOf decides on the architectures for a CR. A finding about its
// workload placement names the field.
func architecturesOf(cr *hyperconverged.CR, facts []cluster.Facts, single arch.Arch) (cluster.Architectures, finding.List) {
	out, found := cluster.Decide(facts, cluster.Placement(cr.Workloads), single)
	for i := range found {
		if isUnmatchable(found[i]) {
			found[i].Field = cr.Version.Paths().Workloads.String()
		}
	}
	return out, found
}

func isUnmatchable(f finding.Finding) bool { return f.ID == finding.StatedUnmatchable }

// refusedPlacement tells of a node affinity that HCO's validator refuses (hco
// pkg/webhooks/validator/validator.go).
func refusedPlacement(cr *hyperconverged.CR) finding.List {
	var found finding.List
	for _, p := range []struct {
		name      string
		placement hyperconverged.NodePlacement
		path      hyperconverged.Path
	}{
		{"workloads", cr.Workloads, cr.Version.Paths().Workloads},
		{"infra", cr.Infra, cr.Version.Paths().Infra},
	} {
		if err := cluster.ValidatePlacement(cluster.Placement(p.placement)); err != nil {
			found = append(found, finding.Finding{
				ID: finding.AffinityInvalid, Severity: finding.Error, Field: p.path.Child("affinity").String(),
				Text: "invalid " + p.name + " node placement affinity: " + err.Error(), Do: "correct the node affinity",
			})
		}
	}
	if matchesNothing(cr.Workloads.Required()) {
		found = append(found, finding.Finding{
			ID: finding.AffinityInvalid, Severity: finding.Error, Field: cr.Version.Paths().Workloads.Child("affinity").String(),
			Text: "the workload placement requires a node affinity without a term that says anything, which matches no node: HCO sees no workload architecture",
			Do:   "add a term, or remove requiredDuringSchedulingIgnoredDuringExecution",
		})
	}
	return found
}

// matchesNothing reports whether no node can match a required node affinity:
// an empty term matches none, and so does an empty list.
func matchesNothing(required *corev1.NodeSelector) bool {
	return required != nil && !slices.ContainsFunc(required.NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		return len(term.MatchExpressions)+len(term.MatchFields) > 0
	})
}

func noGoldenImages() finding.Finding {
	return finding.Finding{
		ID: finding.NoGoldenImages, Severity: finding.Info,
		Text: "HCO makes no golden images on plain Kubernetes: SSP, which imports them, is there on OpenShift only",
		Do:   "set spec.expand.mode: Emit to have goldenarch make them",
	}
}
