package pipeline

import (
	"context"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/emit"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/output"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// Function is goldenarch with what it needs of the world.
type Function struct {
	// Options win over the configuration.
	Options configuration.Options
	// Registry is what the caller states of registries. The rest of it comes from
	// the configuration and the items.
	Registry registry.Options
	// Open returns who answers for images. Default: registry.Open.
	Open func(registry.Options) (registry.Resolver, error)
	// Nodes are Nodes that are given beside the items, for their facts only; nil
	// for none.
	Nodes []*yaml.RNode
	// Live is the cluster's own HyperConverged, given beside the items; nil for
	// none, or for the one among them.
	Live []*yaml.RNode
	// Named returns the objects of a kind and a name that an item stands for: nil for
	// an item that is an object itself. An item without fields stands for objects that
	// are not [Needed], and goes where they are to go; nil if there are none.
	Named func(item *yaml.RNode, kind, name string) []*yaml.RNode
	// Dir is the directory below which spec.inputs are read.
	Dir string
	// WorkDir is the working directory, from which the user opens the files that
	// findings name; "" where the host alone knows what files the items are of.
	WorkDir string
	// Strict makes errors of warnings about what goldenarch does not know: a release
	// newer than the newest verified one, and in a check a field.
	Strict bool
	// ArgoCD says that Argo CD will compare the output with the cluster.
	ArgoCD bool
}

// source returns what the configuration is made of.
func (f Function) source() configuration.Source {
	return configuration.Source{Options: f.Options, Strict: f.Strict, Dir: f.Dir, WorkDir: f.WorkDir}
}

// predictor returns what predictions are made with.
func (f Function) predictor() prediction.Predictor {
	return prediction.Predictor{Source: f.source(), Nodes: f.Nodes, Live: f.Live}
}

// Run makes the CRs of the items right, in place, and returns the items with
// what is emitted beside them, and the findings. If that holds an error,
// the items are as they were.
func (f Function) Run(ctx context.Context, items []*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) ([]*yaml.RNode, finding.List) {
	out, found, _ := f.run(ctx, items, spec)
	return out, found
}

// run is Run, and returns what it has decided of each CR, also on an error.
func (f Function) run(ctx context.Context, items []*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) ([]*yaml.RNode, finding.List, subject.Decided) {
	nodes, wrong := input.ReadNodes(f.Nodes)
	in, found := input.Read(items, nodes, spec.Lock.Mode)
	found = append(wrong, found...)
	in.Live, wrong = livecr.Read(f.Live, in.Objects)
	found = append(found, wrong...)
	blind := wrong.Failed()
	if len(in.CRs) == 0 && !found.Failed() {
		if len(prediction.SSPs(items)) > 0 {
			return items, append(found, onlySSP()), subject.Decided{Release: spec.ParsedRelease()}
		}
		if !hasID(found, finding.CRUnread) {
			found = append(found, noCR(found, in.Objects))
		}
		return items, found, subject.Decided{Release: spec.ParsedRelease()}
	}
	spec, wrong = f.source().WithReleaseOf(in.Live.ForAny(in.CRObjects()), spec)
	found = append(found, wrong...)
	all := subject.Decided{Release: spec.ParsedRelease(), LiveUnreadable: blind}
	list, more := subject.Join(in, spec)
	found = append(found, all.WithoutLiveGaps(more)...)
	locks, more := f.readLocks(in, spec.Lock.Mode)
	if found = append(found, more...); more.Failed() {
		return items, found, all
	}
	mirrors, more := access.ReadMirrors(in.Objects, spec)
	if found = append(found, more...); more.Failed() {
		return items, found, all
	}
	answers, more := f.query(ctx, access.Collect(access.Lookup{Objects: in.Objects, Named: f.Named}, mirrors, list, spec), list, spec, locks)
	if found.Failed() {
		// What has not been asked, because of the error, uses no override.
		more = slices.DeleteFunc(more, func(f finding.Finding) bool { return f.ID == finding.OverrideUnused })
	}
	found = append(found, more...)
	plans := make([]plan.Plan, len(list))
	for i, s := range list {
		plans[i], more = plan.Decide(s.Subject, s.Questions, answers)
		found = append(found, s.Locate(all.WithoutLiveGaps(more))...)
	}
	all.Subjects, all.Plans = list, plans
	found = append(found, output.Unreachable(list, plans, spec)...)
	if found.Failed() {
		return items, found, all
	}
	out, more := emit.Merge(items, list, plans, spec)
	if found = append(found, more...); found.Failed() {
		return items, found, all
	}
	edited, more := output.Write(list, plans)
	found = append(found, more...)
	found = append(found, prediction.WithoutKnownAlert(prediction.OfWritten(list, edited, spec), found)...)
	if f.ArgoCD {
		found = append(found, prediction.Drift(list, spec)...)
	}
	if found.Failed() {
		return items, found, all
	}
	for item, copied := range edited {
		object.Replace(item, copied.YNode())
	}
	return out, found, all
}

// query resolves the images of all CRs. It does so also where the run has failed
// already, so that a user is reported everything at once; without workload
// architectures there are no questions.
func (f Function) query(ctx context.Context, g *access.Access, list []subject.Subject, spec *v1alpha1.GoldenImagesSpec, l locks) (plan.Answers, finding.List) {
	if len(references(list)) == 0 {
		return resolve(ctx, noResolver{}, list, spec, l)
	}
	resolver, err := f.locked(l, g)
	if err != nil {
		return nil, finding.List{unreachable(err)}
	}
	answers, found := resolve(ctx, resolver, list, spec, l)
	return answers, append(found, g.Findings()...)
}

func hasID(found finding.List, id finding.ID) bool {
	return slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == id })
}

// noCR says that the input has no CR. Where an object looks like one, it says that.
func noCR(found finding.List, objects []object.Object) finding.Finding {
	if i := slices.IndexFunc(objects, object.Object.ComparesCR); i >= 0 {
		return finding.Finding{
			ID: finding.NoCR, Severity: finding.Warning, Object: objects[i].At,
			Text: fmt.Sprintf("the input has no HyperConverged CR for a cluster, and %s only compares one with the cluster's: everything passes through unchanged", objects[i].At),
			Do:   "pass the CR along, or leave goldenarch out",
		}
	}
	if hasID(found, finding.KindNear) {
		return finding.Finding{
			ID: finding.NoCR, Severity: finding.Warning,
			Text: "the input has no HyperConverged CR, only an object that looks like one: everything passes through unchanged",
			Do:   "correct its apiVersion and kind",
		}
	}
	return finding.Finding{
		ID: finding.NoCR, Severity: finding.Warning,
		Text: "there is no HyperConverged CR in the input: everything passes through unchanged",
		Do:   "pass the CR along, or leave goldenarch out",
	}
}
