package pipeline

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/emit"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// Run corrects the CRs among the items. It returns the items, those that it emits, and
// the findings. If a finding is an error, the items are unchanged.
func (f Function) Run(ctx context.Context, items []*yaml.RNode, spec *settings.Settings) ([]*yaml.RNode, finding.List) {
	out := f.run(ctx, items, spec)
	return out.items, out.found
}

// result is the result of a run on its items.
type result struct {
	items  []*yaml.RNode
	found  finding.List
	edited map[*yaml.RNode]*yaml.RNode // the copies to put in place, by item
	all    subject.Decided
	pods   []finding.Object // the objects with pods that the run looked at
	// undecided are the items with an object that the run leaves as it is, because it does
	// not know enough, or may not decide.
	undecided []*yaml.RNode
}

// run is Run, and also returns what it decided about each CR, even on an error.
func (f Function) run(ctx context.Context, items []*yaml.RNode, spec *settings.Settings) result {
	out := f.decided(ctx, items, spec)
	out.apply()
	return out
}

// apply puts the edited copies in the place of the items.
func (r result) apply() {
	for item, copied := range r.edited {
		object.Replace(item, copied.YNode())
	}
}

// decided returns the result of a run, and does not change the items. On an error the
// result has the items as they are.
func (f Function) decided(ctx context.Context, items []*yaml.RNode, spec *settings.Settings) result {
	nodes, wrong := f.readNodes()
	in, found := input.Read(items, nodes, spec.Lock.Mode, f.crs)
	stated, _ := cluster.FromConfig(spec.Cluster)
	found = in.WithoutPools(found, stated)
	if f.pods.only {
		in.CRs = nil
	}
	out := f.decide(ctx, items, in, append(wrong, found...), spec)
	out.found = append(out.found, f.treatPods(ctx, in, &out, spec)...)
	if out.found.Failed() {
		out.items, out.edited, out.found = items, nil, withoutWritten(out.found)
	}
	return out
}

// decide decides on the CRs and writes the decisions into copies.
func (f Function) decide(ctx context.Context, items []*yaml.RNode, in input.Input, found finding.List, spec *settings.Settings) result {
	live, wrong := livecr.Read(f.Live, f.source().MayBeLive(in.Objects))
	in.Live = live
	out := result{items: items, found: append(found, wrong...), edited: map[*yaml.RNode]*yaml.RNode{}}
	if len(in.CRs) == 0 && !out.found.Failed() {
		out.all = subject.Decided{Release: spec.Release}
		out.found = append(out.found, f.nothingToDecide(items, in, out.found, spec)...)
		return out
	}
	spec, more := f.source().WithReleaseOf(in.Live.ForAny(in.CRObjects()), spec)
	out.found = append(out.found, more...)
	out.all = subject.Decided{Release: spec.Release, LiveUnreadable: wrong.Failed()}
	images, invalid := subject.NewImages(in.Streams, spec)
	list, more := subject.Join(in, images, spec)
	out.found = append(out.found, out.all.WithoutLiveGaps(more)...)
	locks, more := f.readLocks(in, spec.Lock.Mode)
	if out.found = append(out.found, more...); more.Failed() {
		return out
	}
	mirrors, more := access.ReadMirrors(f.mirrorSets(in.Objects), spec.GoldenImagesSpec)
	if out.found = append(out.found, more...); more.Failed() {
		return out
	}
	answers, more := f.query(ctx,
		access.Collect(f.lookup(in.Objects), mirrors, list, spec.GoldenImagesSpec), list,
		images.Overrides, spec, locks)
	more = append(invalid, more...)
	if out.found.Failed() {
		// After the error, some images have no answer and so use no override.
		more = slices.DeleteFunc(more, func(f finding.Finding) bool { return f.ID == finding.OverrideUnused })
	}
	out.found = append(out.found, more...)
	f.write(&out, list, answers, spec)
	return out
}

// write decides on each CR with the answers for the images, and writes the decisions.
func (f Function) write(out *result, list []subject.Subject, answers plan.Answers, spec *settings.Settings) {
	plans := make([]plan.Plan, len(list))
	var more finding.List
	for i, s := range list {
		plans[i], more = plan.Decide(s.Subject, s.Questions, answers)
		if plans[i].Undecided {
			out.undecided = append(out.undecided, s.Item)
		}
		out.found = append(out.found, s.Locate(out.all.WithoutLiveGaps(more))...)
	}
	out.all.Subjects, out.all.Plans = list, plans
	out.found = append(out.found, output.Unreachable(list, plans, spec)...)
	if out.found.Failed() {
		return
	}
	items, more := emit.Merge(out.items, list, plans, spec)
	if out.found = append(out.found, more...); out.found.Failed() {
		return
	}
	out.items = items
	edited, more := output.Write(list, plans)
	out.found = append(out.found, more...)
	out.found = append(out.found, prediction.WithoutKnownAlert(prediction.OfWritten(list, edited, spec, f.crs), out.found)...)
	if f.ArgoCD {
		out.found = append(out.found, prediction.Drift(list, spec)...)
	}
	if edited != nil {
		out.edited = edited
	}
}

// query resolves the images of all CRs. It also does so after an error, so that the
// user sees all problems at once. Without workload architectures there are no
// questions.
func (f Function) query(ctx context.Context, g *access.Access, list []subject.Subject, overrides subject.Overrides,
	spec *settings.Settings, l locks,
) (plan.Answers, finding.List) {
	if !asks(list) {
		return resolve(ctx, noResolver{}, list, overrides, spec, l)
	}
	resolver, err := f.locked(l, g)
	if err != nil {
		return nil, finding.List{unreachable(err)}
	}
	answers, found := resolve(ctx, resolver, list, overrides, spec, l)
	return answers, append(found, g.Findings()...)
}
