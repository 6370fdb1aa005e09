package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/check"
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
	in     input.Input      // what the run read of the items
	pods   []finding.Object // the objects with pods that the run looked at
	// undecided are the items with an object that the run leaves as it is, because it does
	// not know enough, or may not decide.
	undecided []*yaml.RNode
}

// run is Run, and also returns what it decided about each CR, even on an error.
func (f Function) run(ctx context.Context, items []*yaml.RNode, spec *settings.Settings) result {
	out := f.decided(ctx, items, spec)
	out.found = out.withSlips()
	out = f.raised(out, items)
	out.apply()
	return out
}

// raised returns a result that fails on an error that the run found, also on one that an
// exception makes an error.
func (f Function) raised(r result, items []*yaml.RNode) result {
	if r.found = f.exceptions.Adjusted(r.found); r.found.Failed() {
		r.items, r.edited, r.found = items, nil, withoutWritten(r.found)
	}
	return r
}

// withSlips returns the findings with the errors about fields of CRs that have a slip, at which a
// run that writes fails. A check reports all fields that the CRD does not have, and decides on
// the CRs nevertheless.
func (r result) withSlips() finding.List {
	found, err := check.Slips(r.in.CRs, r.all.Release, r.found)
	if err != nil {
		return append(finding.List{{ID: finding.Unreadable, Severity: finding.Error, Text: err.Error()}}, r.found...)
	}
	return found
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
	out.in = in
	for i := range out.found { // a run that stopped has no result to go on with
		out.found[i].Final = out.found[i].Severity == finding.Error
	}
	out.found = f.exceptions.Lowered(append(out.found, f.treatPods(ctx, in, &out, spec)...))
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
	if f.pods.spec(spec.Workloads).Mode != v1alpha1.WorkloadsNone { // a flag may state the image of a pod
		found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.ID == finding.OverrideUnused && f.Field == "" })
	}
	return answers, append(found, g.Findings()...)
}

// ErrFindings is the error of a run that found errors. The findings themselves
// are in the results.
var ErrFindings = errors.New("goldenarch found errors and changed nothing")

// Process runs the function on a ResourceList. It adds the findings to the results, and
// returns them. The error is [ErrFindings] if one of the findings is an error; then the
// items are unchanged.
func (f Function) Process(ctx context.Context, rl *framework.ResourceList) (finding.List, error) {
	items, found := f.process(ctx, rl)
	found = withoutLines(found).Sorted()
	rl.Results = append(rl.Results, found.Results()...)
	if found.Failed() {
		return found, ErrFindings
	}
	rl.Items = items
	return found, nil
}

// Generate runs the function as a generator of kustomize, which passes it no items but its
// configuration. It returns the objects that the function emits.
func (f Function) Generate(ctx context.Context, step Step) ([]*yaml.RNode, finding.List) {
	f.Dir = cmp.Or(step.Dir, f.Dir)
	items, found := f.process(ctx, &framework.ResourceList{FunctionConfig: step.Config})
	return items, found.Sorted()
}

func (f Function) process(ctx context.Context, rl *framework.ResourceList) ([]*yaml.RNode, finding.List) {
	steps := []Step{{Config: rl.FunctionConfig, Listed: !rl.FunctionConfig.IsNilOrEmpty()}}
	isListed, severity := listedInHost(rl.Items)
	all, found := f.load(steps, rl.Items, isListed)
	if found.Failed() {
		return nil, found
	}
	step := all[0]
	if found = append(found, output.PrepareForHost(step.extra)...); found.Failed() {
		return nil, found
	}
	items := withoutConfig(rl.Items, rl.FunctionConfig)
	found = append(found, unused(steps, rl.Items, isListed, severity)...)
	beside := append(output.NodesInPackage(items), f.oldKustomize(rl.Items, nil)...)
	if step.exceptions.Adjusted(append(found, beside...)).Failed() { // the run decides, and nothing of it may stay
		items = copied(items)
	}
	out, list, exceptions := step.runPackages(ctx, items, step.extra, step.config)
	found = append(append(found, list...), beside...)
	if !hasID(beside, finding.KustomizeOld) {
		found = append(found, f.oldKustomize(rl.Items, found)...)
	}
	return withoutInputs(out, step.extra), exceptions.Apply(found).List
}

// withoutInputs omits the additional items that the function read, except those for the
// cluster.
func withoutInputs(items, extra []*yaml.RNode) []*yaml.RNode {
	read := make(map[*yaml.RNode]bool, len(extra))
	for _, item := range extra {
		read[item] = true
	}
	return slices.DeleteFunc(items, func(item *yaml.RNode) bool { return read[item] && !output.KeepForCluster(item) })
}

// withoutConfig omits the configuration that kustomize passes to a generator as its
// only item: otherwise it would stay among the resources. Under kpt the same item has a
// path and is the user's file, so omitting it would delete the file.
func withoutConfig(items []*yaml.RNode, config *yaml.RNode) []*yaml.RNode {
	if config.IsNilOrEmpty() {
		return items
	}
	var out []*yaml.RNode
	for _, item := range items {
		file, _ := object.Place(item)
		if file == "" && !object.IsFromKpt(item) && object.Ref(item) == object.Ref(config) {
			continue
		}
		out = append(out, item)
	}
	return out
}

// withoutLines removes the line numbers from findings: in a ResourceList they refer to
// the stream, not to the user's file.
func withoutLines(list finding.List) finding.List {
	for i := range list {
		list[i].Line = 0
	}
	return list
}

// listedInHost returns a function that reports the configurations of other functions among
// the items, and how bad another one without an effect is. A function of kpt sees those of
// the whole package, and the Kptfile names them. kustomize shows a function no list.
func listedInHost(items []*yaml.RNode) (func(object.Object) bool, finding.Severity) {
	listed := configPaths(items)
	if listed == nil {
		return notListed, finding.Info
	}
	return func(o object.Object) bool {
		file, _ := object.Place(o.Item)
		return listed[path.Join(object.PackageOf(o.Item), file)]
	}, finding.Warning
}

// configPaths returns the files that the Kptfiles among the items name as configurations of
// functions; nil if there is no Kptfile.
func configPaths(items []*yaml.RNode) map[string]bool {
	var out map[string]bool
	for _, item := range items {
		if item.GetKind() != "Kptfile" {
			continue
		}
		if out == nil {
			out = map[string]bool{}
		}
		for _, field := range []string{"mutators", "validators"} {
			list := object.NodeAt(item, "pipeline", field)
			if list == nil {
				continue
			}
			for _, function := range list.Content {
				if file := object.TextAt(yaml.NewRNode(function), "configPath"); file != "" {
					out[path.Join(object.PackageOf(item), file)] = true
				}
			}
		}
	}
	return out
}

// nothingToDecide returns the findings for an input without a CR. A run about pods does
// not need a CR.
func (f Function) nothingToDecide(items []*yaml.RNode, in input.Input, found finding.List, spec *settings.Settings) finding.List {
	switch {
	case f.pods.only:
		return nil
	case len(prediction.SSPs(items)) > 0:
		return finding.List{onlySSP()}
	case f.pods.spec(spec.Workloads).Mode != v1alpha1.WorkloadsNone:
		return nil
	case hasID(found, finding.CRUnread):
		return nil
	}
	return finding.List{noCR(found, in.Objects)}
}

// withoutWritten removes the findings about written changes: on an error the run writes
// nothing.
func withoutWritten(found finding.List) finding.List {
	return slices.DeleteFunc(found, func(f finding.Finding) bool {
		return f.ID == finding.AffinityWritten || f.ID == finding.PodFixed || f.ID == finding.ConstraintReplaced || f.ID == finding.LabelWritten
	})
}

func hasID(found finding.List, id finding.ID) bool {
	return slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == id })
}

// noCR reports that the input has no CR, or that an object looks like one.
func noCR(found finding.List, objects []object.Object) finding.Finding {
	if i := slices.IndexFunc(objects, object.Object.ComparesCR); i >= 0 {
		return finding.Finding{
			ID: finding.NoCR, Severity: finding.Warning, Object: objects[i].At,
			Text: fmt.Sprintf("the input has no HyperConverged CR for a cluster, and %s only compares one with the cluster's: everything passes through unchanged",
				objects[i].At),
			Do: "pass the file or directory that has the CR",
		}
	}
	if hasID(found, finding.KindNear) {
		return finding.Finding{
			ID: finding.NoCR, Severity: finding.Warning,
			Text: "the input has no HyperConverged CR, only an object that looks like one, so goldenarch changes nothing",
			Do:   "correct its apiVersion and kind",
		}
	}
	return finding.Finding{
		ID: finding.NoCR, Severity: finding.Warning,
		Text: "the input has no HyperConverged CR, so goldenarch changes nothing",
		Do:   "pass the file or directory that has the CR",
	}
}
