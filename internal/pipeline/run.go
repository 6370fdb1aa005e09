package pipeline

import (
	"context"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/transformers"
)

// Function is goldenarch with what it needs of the world.
type Function struct {
	// Options win over the configuration.
	Options Options
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

// Run makes the CRs of the items right, in place, and returns the items with
// what is emitted beside them, and what there is to say. If that holds an error,
// the items are as they were.
func (f Function) Run(ctx context.Context, items []*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) ([]*yaml.RNode, finding.List) {
	out, found, _ := f.run(ctx, items, spec)
	return out, found
}

// run is Run, and returns what it has decided of each CR, also on an error.
func (f Function) run(ctx context.Context, items []*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) ([]*yaml.RNode, finding.List, decided) {
	nodes, wrong := f.readNodes()
	in, found := read(items, nodes, spec.Lock.Mode)
	found = append(wrong, found...)
	in.live, wrong = f.readLive(in.objects)
	found = append(found, wrong...)
	blind := wrong.Failed()
	if len(in.crs) == 0 && !found.Failed() {
		if len(ssps(items)) > 0 {
			return items, append(found, onlySSP()), decided{release: spec.ParsedRelease()}
		}
		return items, append(found, noCR(found)), decided{release: spec.ParsedRelease()}
	}
	spec, wrong = f.released(in.live.among(in.crObjects()), spec)
	found = append(found, wrong...)
	all := decided{release: spec.ParsedRelease(), blind: blind}
	list, more := subjects(in, spec)
	found = append(found, all.withoutUnseen(more)...)
	locks, more := f.readLocks(in, spec.Lock.Mode)
	if found = append(found, more...); more.Failed() {
		return items, found, all
	}
	mirrors, more := readMirrors(in.objects, spec)
	if found = append(found, more...); more.Failed() {
		return items, found, all
	}
	answers, more := f.ask(ctx, gather(lookup{in.objects, f.Named}, mirrors, list, spec), list, spec, locks)
	if found.Failed() {
		// What has not been asked, because of the error, uses no override.
		more = slices.DeleteFunc(more, func(f finding.Finding) bool { return f.ID == finding.OverrideUnused })
	}
	found = append(found, more...)
	plans := make([]plan.Plan, len(list))
	for i, s := range list {
		plans[i], more = plan.Decide(s.Subject, s.questions, answers)
		found = append(found, s.own(all.withoutUnseen(more))...)
	}
	all.list, all.plans = list, plans
	if found.Failed() {
		return items, found, all
	}
	out, more := emit(items, list, plans, spec)
	if found = append(found, more...); found.Failed() {
		return items, found, all
	}
	edited, more := write(list, plans)
	found = append(found, more...)
	found = append(found, withoutKnownAlert(foresee(list, edited, spec), found)...)
	found = append(found, f.drift(list, spec)...)
	if found.Failed() {
		return items, found, all
	}
	for item, copied := range edited {
		replace(item, copied.YNode())
	}
	return out, found, all
}

// ask resolves the images of all CRs. It does so also where the run has failed
// already, so that a user is told everything at once; without workload
// architectures there are no questions.
func (f Function) ask(ctx context.Context, g *gathered, list []subject, spec *v1alpha1.GoldenImagesSpec, l locks) (plan.Answers, finding.List) {
	if len(references(list)) == 0 {
		return resolve(ctx, noResolver{}, list, spec, l)
	}
	resolver, err := f.locked(l, g)
	if err != nil {
		return nil, finding.List{unreachable(err)}
	}
	answers, found := resolve(ctx, resolver, list, spec, l)
	return answers, append(found, g.tell()...)
}

// write carries out the plans on copies of the items, which are put in place
// when all is done: never half a result.
func write(list []subject, plans []plan.Plan) (map[*yaml.RNode]*yaml.RNode, finding.List) {
	copies := map[*yaml.RNode]*yaml.RNode{} // by item, which may hold several CRs
	for i, s := range list {
		if plans[i].Empty() {
			continue
		}
		if copies[s.item] == nil {
			item, err := copyOf(s.item)
			if err != nil {
				return nil, finding.List{s.unreadable(err)}
			}
			copies[s.item] = item
		}
		s.singleKeys(copies[s.item])
		if err := transformers.Apply(s.in(copies[s.item]), string(s.CR.Version), plans[i].Edits()); err != nil {
			return nil, finding.List{s.unreadable(fmt.Errorf("write the CR: %w", err))}
		}
	}
	return copies, nil
}

// replace puts another mapping in the place of an object's. The comments before
// and after a document belong to the document, which stays.
func replace(n *yaml.RNode, mapping *yaml.Node) {
	if doc := n.Document(); doc.Kind == yaml.DocumentNode {
		doc.Content[0] = mapping
		return
	}
	n.SetYNode(mapping)
}

// noCR says that the input has no CR. Where an object looks like one, it says that.
func noCR(found finding.List) finding.Finding {
	if slices.ContainsFunc(found, func(f finding.Finding) bool { return f.ID == finding.KindNear }) {
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
