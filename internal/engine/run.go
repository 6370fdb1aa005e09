package engine

import (
	"context"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/engine/emit"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/livecr"
	"github.com/goldenarch/goldenarch/internal/engine/output"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// run is the work of one step on its items: what it reads, decides, writes and finds. Its
// methods are called in the order of this file.
type run struct {
	*loadedStep

	// spec are the settings, from decideCRs on with the release of the live CR.
	spec *settings.Settings
	// items are those that the run received, and then also those that it emits.
	items []*yaml.RNode
	found finding.Collector
	in    input.Input // what the run read of the items
	// decided is what the run decided about each CR, even after an error.
	decided join.Decided
	edited  map[*yaml.RNode]*yaml.RNode // the copies to put in place, by item
	pods    []finding.Object            // the objects with pods that the run looked at
	// supports says which architectures the operators among them support.
	supports []workload.Support
	// podTexts are the texts that name the images of pods.
	podTexts []string
	// joined says that the input could be read: otherwise goldenarch does not know which templates
	// and images it has.
	joined bool
	// undecided are the items with an object that the run leaves as it is, because it does
	// not know enough, or may not decide.
	undecided []*yaml.RNode
}

// decide decides on the CRs and pods of the items, and writes the decisions into copies. On an
// error the run has the items as they are.
func (r *run) decide(ctx context.Context) {
	items := r.items
	r.read()
	if r.config.OnlyWorkloads {
		r.in.CRs = nil
	}
	if len(r.in.CRs) == 0 && !r.found.Failed() {
		r.decided.Release, r.joined = r.spec.Release, true
		r.nothingToDecide()
	} else {
		r.decideCRs(ctx)
	}
	for i := range r.found.List { // a run that stopped has no result to go on with
		r.found.List[i].Final = r.found.List[i].Severity == finding.Error
	}
	r.treatPods(ctx)
	if r.joined {
		r.found.Add(r.unusedImages()...)
	}
	r.found.List = r.exceptions.Lowered(r.found.List)
	r.discardIfFailed(items)
}

// unusedImages reports what a person states about templates and images that the input does not have.
func (r *run) unusedImages() finding.List {
	spec, list := r.config.Settings, r.decided.Joined
	if spec.Images.None() && len(spec.Overrides) == 0 {
		return nil
	}
	found := join.UnusedOverrides(list, spec.Overrides)
	machines, _ := machine.Find(r.in.Objects) // a check reports what it cannot read
	if len(list)+len(r.podTexts)+len(machines) == 0 {
		return found
	}
	has := join.ImagesOf(list)
	for _, text := range append(machine.ImagesOf(machines, r.in.Objects, r.in.Streams), r.podTexts...) {
		if ref, err := imageref.Parse(text); err == nil {
			has[ref] = true
		}
	}
	return append(found, spec.Images.Unused(has)...)
}

// discardIfFailed discards what the run wrote if it found an error.
func (r *run) discardIfFailed(items []*yaml.RNode) {
	if r.found.Failed() {
		r.items, r.edited, r.found.List = items, nil, withoutWritten(r.found.List)
	}
}

// read reads the items, the nodes and the live CR.
func (r *run) read() {
	nodes, wrong := r.readNodes()
	in, found := input.Read(r.items, nodes, r.spec.Lock.Mode, r.crs)
	found = withoutForeign(found, r.items)
	stated, _ := cluster.FromConfig(r.spec.Cluster)
	found = in.WithoutPools(found, stated)
	r.found.Add(wrong...)
	r.found.Add(found...)
	in.Live, wrong = livecr.Read(r.function.Live, r.source.MayBeLive(in.Objects))
	r.decided.LiveUnreadable = !r.found.Add(wrong...)
	r.in = in
}

// nothingToDecide reports an input without a CR. A run about pods does not need a CR.
func (r *run) nothingToDecide() {
	switch {
	case r.config.OnlyWorkloads:
	case len(prediction.SSPs(r.in.Objects)) > 0:
		r.found.Add(onlySSP())
	case r.podSpec(r.spec.GoldenImagesSpec).Mode != v1alpha1.WorkloadsNone, r.found.Has(finding.CRUnread):
	default:
		r.found.Add(noCR(r.found.List, r.in.Objects))
	}
}

// decideCRs joins each CR with what is known about it, queries the images of all of them, and
// decides. It queries also after an error, so that the user sees all problems at once.
func (r *run) decideCRs(ctx context.Context) {
	joined, found := r.join()
	r.found.Add(r.decided.WithoutLiveGaps(found)...)
	lookup, found := newLookup(r.loadedStep, r.in, imagesOf(joined))
	if !r.found.Add(found...) {
		return
	}
	r.joined = !r.found.Failed()
	answers, found := lookup.answersForCRs(ctx, joined)
	r.found.Add(found...)
	r.plan(joined, answers)
	if !r.found.Failed() {
		r.write()
	}
}

// join joins each CR with what is known about it. The run then has the release of the live CR.
func (r *run) join() ([]join.Joined, finding.List) {
	spec, found := r.source.WithReleaseOf(r.in.Live.ForAny(r.in.CRObjects()), r.spec)
	r.found.Add(found...)
	r.spec, r.decided.Release = spec, spec.Release
	return join.Join(r.in, spec)
}

// plan decides on each CR with the answers for the images.
func (r *run) plan(joined []join.Joined, answers plan.Answers) {
	plans := make([]plan.Plan, len(joined))
	for i, s := range joined {
		s.Others = r.function.Others
		decided, found := plan.Decide(s.Known, s.Questions, answers)
		if r.function.LeavesGate {
			decided.Gate = nil
		}
		plans[i] = decided
		if decided.Undecided {
			r.undecided = append(r.undecided, s.Item)
		}
		r.found.Add(r.withoutFilled(s.Locate(r.decided.WithoutLiveGaps(found)))...)
	}
	r.decided.Joined, r.decided.Plans = joined, plans
	r.found.Add(output.Unreachable(joined, plans, r.spec, r.function.Carriers)...)
}

// withoutFilled removes what is wrong with declared architectures and images that Flux fills in: the file does not
// have them.
func (r *run) withoutFilled(found finding.List) finding.List {
	aboutClaim := []finding.ID{finding.ClaimUnknown, finding.ClaimEmpty, finding.ClaimReplaced}
	return slices.DeleteFunc(found, func(f finding.Finding) bool {
		below := ""
		switch {
		case slices.Contains(aboutClaim, f.ID):
			below = ".metadata.annotations[" + hyperconverged.ClaimAnnotation + "]"
		case f.ID == finding.ReferenceInvalid:
			below = ".spec.template.spec.source."
		default:
			return false
		}
		return slices.ContainsFunc(r.found.List, func(known finding.Finding) bool {
			return known.ID == finding.FilledByFlux && known.Object == f.Object && strings.HasPrefix(known.Field, f.Field+below)
		})
	})
}

// write writes the plans: into copies of the items, and as objects that it emits.
func (r *run) write() {
	subjects, plans := r.decided.Joined, r.decided.Plans
	items, found := emit.Merge(r.items, subjects, plans, r.spec)
	if !r.found.Add(found...) {
		return
	}
	r.items = items
	edited, found := output.Write(subjects, plans)
	r.found.Add(found...)
	r.found.Add(prediction.OfWritten(r.decided, edited, r.spec, r.crs)...)
	if r.function.ArgoCD {
		r.found.Add(prediction.Drift(subjects, r.spec)...)
	}
	if edited != nil {
		r.edited = edited
	}
}

// finish makes a run that writes fail on an error: one that it found, one that an exception
// makes an error, and one about a wrong field of a CR. A check reports all fields that the CRD
// does not have, and decides on the CRs nevertheless.
func (r *run) finish(items []*yaml.RNode) {
	found, err := check.WithFieldErrors(r.in.CRs, r.decided.Release, r.found.List)
	if err != nil {
		found = append(finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}, r.found.List...)
	}
	r.found.List = r.exceptions.Adjusted(found)
	r.discardIfFailed(items)
}

// apply puts the edited copies in the place of the items.
func (r *run) apply() {
	for item, copied := range r.edited {
		object.Replace(item, copied.YNode())
	}
}

// findings returns the findings of the run. Those about the configuration name it.
func (r *run) findings() finding.List { return configuration.Locate(r.found.List, r.config) }

// withoutWritten removes the findings about written changes: on an error the run writes
// nothing.
func withoutWritten(found finding.List) finding.List {
	return slices.DeleteFunc(found, func(f finding.Finding) bool {
		return f.ID == finding.AffinityWritten || f.ID == finding.PodFixed || f.ID == finding.ConstraintReplaced || f.ID == finding.LabelWritten
	})
}

// withoutInputs omits the additional items that a step read, except those for the cluster.
func withoutInputs(items, extra []*yaml.RNode) []*yaml.RNode {
	read := setOf(extra)
	return slices.DeleteFunc(items, func(item *yaml.RNode) bool { return read[item] && !output.KeepForCluster(item) })
}
