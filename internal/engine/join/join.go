package join

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/livecr"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Joined is a CR with all that is known about it before goldenarch queries any image.
type Joined struct {
	input.Resource
	plan.Known
	Questions []plan.Question
}

// Join joins each CR with its cluster and the templates that its HCO has built in, and
// reports problems of the CR.
func Join(in input.Input, spec *settings.Settings) ([]Joined, finding.List) {
	var out []Joined
	var found finding.List
	for _, cr := range in.CRs {
		live, list := in.Live.For(cr.Model)
		cr.Model = live.WithNamespace(cr.Model)
		s := known(in, cr, spec, live)
		list = append(list, hyperconverged.Refused(s.CR, s.Table)...)
		list = append(list, hyperconverged.Lint(s.CR, s.Table)...)
		refused := refusedPlacement(s.CR)
		list = append(list, refused...)
		single := arch.NamedOne(spec.SingleArchitecture)
		architectures, more := Cluster(in, cr.Object, cr.Model, live, spec.Cluster, single)
		if refused.Failed() { // the effect of an invalid placement does not matter
			more = slices.DeleteFunc(more, IsUnmatchable)
		}
		s.Cluster = architectures
		if !cr.IsWrapped() { // a policy may compare a status with that of the cluster
			s.ServerFields = object.ServerFields(cr.Node.YNode())
			other := in // without the status of the CR itself, a run might know less of the nodes
			other.Nodes.NoStatus = true
			without, _ := Cluster(other, cr.Object, cr.Model, live, spec.Cluster, single)
			s.StatusNeeded = !reflect.DeepEqual(architectures, without)
		}
		list = append(list, more...)
		if spec.Platform == v1alpha1.OpenShift {
			if hyperconverged.HasGate.In(spec.Release) { // an older HCO does not write the architectures to the SSP CR
				list = append(list, cluster.Refused(architectures)...)
			}
		} else if spec.Expand.Mode == v1alpha1.ExpandNone {
			list = append(list, noGoldenImages())
		}
		found = append(found, cr.Locate(list)...)
		s.Questions = plan.Questions(s.Known)
		out = append(out, s)
	}
	return out, found
}

// known returns a CR with the templates that its HCO has built in.
func known(in input.Input, cr input.Resource, spec *settings.Settings, live livecr.CR) Joined {
	return Joined{Resource: cr, Known: plan.Known{
		CR: cr.Model, Table: Table(cr.Model, in, spec, live.Live), Streams: in.Streams, References: in.References, Spec: spec,
		Live: live.Live, LiveGateOn: live.IsGateOn(),
	}}
}

// WithoutCluster joins each CR with what is known about it where the cluster does not matter.
func WithoutCluster(in input.Input, spec *settings.Settings) []Joined {
	out := make([]Joined, len(in.CRs))
	for i, cr := range in.CRs {
		out[i] = known(in, cr, spec, livecr.CR{})
		out[i].Questions = plan.QuestionsOf(out[i].Known)
	}
	return out
}

func noGoldenImages() finding.Finding {
	return finding.Finding{
		ID: finding.NoGoldenImages, Severity: finding.Info,
		Text: "HCO makes no golden images on plain Kubernetes, because SSP, which imports them, runs only on OpenShift",
		Do:   "set spec.expand.mode: Emit, so that goldenarch emits them",
	}
}

// Cluster computes the architectures of the cluster that a CR is for: from what the configuration states, from the node facts of
// the input, and from what the live CR and a dump of the CR itself show. A finding about its workload placement names the field.
func Cluster(
	in input.Input, o object.Object, cr *hyperconverged.CR, live livecr.CR, spec v1alpha1.ClusterSpec, single arch.Arch,
) (cluster.Architectures, finding.List) {
	facts := in.Facts
	if stated, says := cluster.FromConfig(spec); says {
		facts = slices.Concat([]cluster.Facts{stated}, facts)
	}
	shown, about := live.NodeFacts(cr)
	facts = slices.Concat(facts, shown)
	if !in.Nodes.NoStatus {
		facts = livecr.AddDumped(o, facts)
	}
	out, found := cluster.Decide(facts, cluster.Placement(cr.Workloads), single)
	for i := range found {
		if IsUnmatchable(found[i]) {
			found[i].Field = cr.Version.Paths().Workloads.String()
		}
	}
	return out, livecr.AddNodeFinding(found, about, facts)
}

// IsUnmatchable reports whether a finding says that the workload placement rules out
// stated architectures.
func IsUnmatchable(f finding.Finding) bool { return f.ID == finding.StatedUnmatchable }

// Decided is what a run has decided about each CR, in the order of the input.
type Decided struct {
	Joined []Joined
	Plans  []plan.Plan
	// Release is the release of the configuration, or else that of the live CR.
	Release v1alpha1.Release
	// LiveUnreadable says that the live CR cannot be read, so that its facts are
	// missing everywhere.
	LiveUnreadable bool
}

// WithoutLiveGaps removes findings about facts that are missing only because the live
// CR cannot be read. The error about the live CR covers them.
func (d Decided) WithoutLiveGaps(list finding.List) finding.List {
	unseen := []finding.ID{finding.NoNodeFacts, finding.ReleaseNeeded, finding.PredefinedUnknown}
	return slices.DeleteFunc(list, func(f finding.Finding) bool { return d.LiveUnreadable && slices.Contains(unseen, f.ID) })
}

// refusedPlacement reports a node affinity that HCO's validator refuses (hco
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
				Text: "invalid " + p.name + " node placement affinity: " + err.Error() + ": HCO refuses the CR", Do: "correct the node affinity",
			})
		}
	}
	if matchesNothing(cluster.Placement(cr.Workloads).Required()) {
		found = append(found, finding.Finding{
			ID: finding.AffinityInvalid, Severity: finding.Error, Field: cr.Version.Paths().Workloads.Child("affinity").String(),
			Text: "the workload placement requires a node affinity with only empty terms, which match no node: HCO sees no workload architecture",
			Do:   "remove requiredDuringSchedulingIgnoredDuringExecution",
		})
	}
	return found
}

// matchesNothing reports whether no node can match a required node affinity: an empty
// term or an empty list matches no node.
func matchesNothing(required *corev1.NodeSelector) bool {
	return required != nil && !slices.ContainsFunc(required.NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		return len(term.MatchExpressions)+len(term.MatchFields) > 0
	})
}

// Table returns the templates that the HCO of a CR has built in, with the architectures
// of their images that a person states. spec.predefinedTemplates has precedence, then
// the live CR.
func Table(cr *hyperconverged.CR, in input.Input, spec *settings.Settings, live *hyperconverged.Live) hyperconverged.Table {
	out := namedTable(cr, spec).Observed(live, spec.Release)
	if len(spec.PredefinedTemplates) > 0 {
		out = out.WithStated(spec.PredefinedTemplates)
	}
	if len(spec.Overrides) == 0 && spec.Images.None() {
		return out
	}
	return out.WithImages(func(t hyperconverged.Template) arch.Set { return statedFor(t, in, spec) })
}

// namedTable returns the table that spec.predefined names.
func namedTable(cr *hyperconverged.CR, spec *settings.Settings) hyperconverged.Table {
	switch {
	case spec.Predefined == v1alpha1.PredefinedNone:
		return hyperconverged.None()
	case plan.HasOpenShiftTemplates(cr, spec):
		return hyperconverged.OpenShift()
	default:
		return hyperconverged.Upstream()
	}
}
