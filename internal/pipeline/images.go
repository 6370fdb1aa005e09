package pipeline

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/emit"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
	"github.com/goldenarch/goldenarch/internal/workload"
	"github.com/goldenarch/goldenarch/internal/workload/items"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/wrapper"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Images has the images that the CRs of an input refer to, and what is needed to query
// their registries.
type Images struct {
	// ToQuery are the images that a run would query, sorted.
	ToQuery []imageref.Reference
	// Stated are the images whose architectures spec.overrides states.
	Stated []imageref.Reference
	// CRs, Pods, Machines and Locks are the places of these objects. A machine is there if it
	// names an image.
	CRs, Pods, Machines, Locks []finding.Object
	// Verify is how far goldenarch trusts the indexes of the images.
	Verify v1alpha1.Verify

	spec      *settings.Settings
	held      *access.Access // what the items provide for access to registries
	operators operatorsOf
	at        map[imageref.Reference]finding.Finding // the first template or pod that names an image
	steps     []Images                               // of a run with several steps, those of each
	ownLock   string                                 // the lock that the configuration of the step names
	open      func(registry.Options) (registry.Resolver, error)
}

// Images returns the images that a run of the steps would query. They do not depend on
// the nodes of the cluster, which may be unknown.
func (f Function) Images(items []*yaml.RNode, steps []Step) (Images, finding.List) {
	all, found := f.load(steps, items, notListed)
	if found.Failed() {
		return Images{}, found
	}
	parts := make([]Images, len(all))
	for i, step := range all {
		var list finding.List
		parts[i], list = step.images(items)
		found = addDistinct(found, list)
	}
	return joinImages(parts), all[0].exceptions.Apply(found).List
}

// joinImages returns the images of several steps as those of one.
func joinImages(parts []Images) Images {
	if len(parts) == 1 {
		return parts[0]
	}
	out := Images{steps: parts}
	for _, part := range parts {
		out.ToQuery, out.Stated = append(out.ToQuery, part.ToQuery...), append(out.Stated, part.Stated...)
		out.CRs, out.Pods, out.Locks = append(out.CRs, part.CRs...), append(out.Pods, part.Pods...), append(out.Locks, part.Locks...)
		out.Machines = append(out.Machines, part.Machines...)
		if out.Verify == "" || part.Verify == v1alpha1.VerifyIndex && out.Verify != part.Verify {
			out.Verify = part.Verify
		}
	}
	slices.SortFunc(out.ToQuery, access.ByText)
	slices.SortFunc(out.Stated, access.ByText)
	out.ToQuery, out.Stated = slices.Compact(out.ToQuery), slices.Compact(out.Stated)
	return out
}

// ByLock returns the images by the lock that they are for. Steps whose spec.inputs name a
// lock have that one. All others share one.
func (i Images) ByLock() []Images {
	byLock := map[string][]Images{}
	for _, part := range i.all() {
		byLock[part.ownLock] = append(byLock[part.ownLock], part)
	}
	var out []Images
	for _, name := range slices.Sorted(maps.Keys(byLock)) {
		out = append(out, joinImages(byLock[name]))
	}
	return out
}

// all returns the images of each step.
func (i Images) all() []Images {
	if len(i.steps) == 0 {
		return []Images{i}
	}
	return i.steps
}

// images returns the images of one step.
func (l loaded) images(items []*yaml.RNode) (Images, finding.List) {
	f, config, extra := l.Function, l.config, l.extra
	var found finding.List
	var in input.Input
	items = l.input(items)
	in.Objects, in.Parsed = object.All(items), f.crs
	for _, o := range in.Objects {
		if kinds.IsCR(o) || imagestream.Is(o.At.APIVersion, o.At.Kind) || kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			found = append(found, in.Add(o)...)
		}
	}
	if f.pods.only {
		in.CRs = nil
	}
	out := Images{open: f.Open, spec: config.Settings, Verify: config.Spec.Registry.Verify, at: map[imageref.Reference]finding.Finding{}}
	for _, o := range in.Locks {
		out.Locks = append(out.Locks, o.At)
		if slices.Contains(extra, o.Item) {
			out.ownLock = o.At.File
		}
	}
	known, list := subject.NewImages(in.Streams, out.spec)
	found = append(found, list...)
	var subjects []subject.Subject
	for _, cr := range in.CRs {
		out.CRs = append(out.CRs, cr.At)
		s := subject.Subject{Resource: cr, Subject: plan.Subject{
			CR: cr.Model, Table: subject.Table(cr.Model, out.spec, known, nil), Streams: in.Streams, References: known.References, Spec: out.spec,
		}}
		s.Questions = plan.QuestionsOf(s.Subject)
		subjects = append(subjects, s)
		for _, q := range s.Questions {
			found = append(found, s.Locate(out.add(s, q, known.Overrides))...)
		}
	}
	found = append(found, f.podImages(&out, items, in)...)
	if !f.pods.only {
		f.addMachines(&out, in.Objects, in.Streams)
	}
	mirrors, list := access.ReadMirrors(f.mirrorSets(in.Objects), out.spec.GoldenImagesSpec)
	found = append(found, list...)
	out.held = access.Collect(f.lookup(in.Objects), mirrors, subjects, out.spec.GoldenImagesSpec)
	slices.SortFunc(out.ToQuery, access.ByText)
	slices.SortFunc(out.Stated, access.ByText)
	out.Stated = slices.Compact(out.Stated)
	return out, configuration.Locate(found, config)
}

// add adds the image of a question. A source without a registry has no image.
func (i *Images) add(s subject.Subject, q plan.Question, believed subject.Overrides) finding.List {
	at := finding.Finding{ID: finding.Unresolved, Severity: finding.Error, Field: s.CR.TemplatePath(q.Template.Index), Current: q.Text}
	switch {
	case q.Problem != nil && q.Problem.ID == finding.NoImageStream:
		problem := *q.Problem
		problem.Severity = finding.Warning
		problem.Text += ". The lock does not get its image"
		return finding.List{problem}
	case q.Problem != nil && q.Problem.ID == finding.ReferenceInvalid:
		problem := *q.Problem
		problem.Severity = finding.Error
		return finding.List{problem}
	case q.Text == "":
		return nil
	case q.Invalid != nil:
		at.ID, at.Text, at.Do = finding.ReferenceInvalid, q.Invalid.Error(), "correct the url"
		return finding.List{at}
	}
	ref := q.Image
	if _, known := i.at[ref]; known {
		return nil
	}
	i.at[ref] = s.Locate(finding.List{at})[0]
	if _, ok := believed.Find(ref); ok {
		i.Stated = append(i.Stated, ref)
	} else {
		i.ToQuery = append(i.ToQuery, ref)
	}
	return nil
}

// Answers resolves references at their registries, all at once, regardless of any lock.
// Each reference that cannot be resolved is an error finding. The answers have the
// order of the references.
func (f Function) Answers(ctx context.Context, images Images, refs []imageref.Reference) ([]registry.Image, finding.List) {
	var out []registry.Image
	var found finding.List
	all := images.all()
	for i, part := range all {
		own := refs
		if i < len(all)-1 { // the last step also queries what no step names: entries of the lock
			queried := setOf(part.ToQuery)
			own = slices.DeleteFunc(slices.Clone(refs), func(ref imageref.Reference) bool { return !queried[ref] })
		}
		done := setOf(own)
		refs = slices.DeleteFunc(slices.Clone(refs), func(ref imageref.Reference) bool { return done[ref] })
		answers, list := f.answers(ctx, part, own)
		out, found = append(out, answers...), append(found, list...)
	}
	return out, found
}

func setOf(refs []imageref.Reference) map[imageref.Reference]bool {
	out := make(map[imageref.Reference]bool, len(refs))
	for _, ref := range refs {
		out[ref] = true
	}
	return out
}

// answers resolves references with the configuration of one step.
func (f Function) answers(ctx context.Context, images Images, refs []imageref.Reference) ([]registry.Image, finding.List) {
	if len(refs) == 0 {
		return nil, nil
	}
	resolver, err := images.held.Open(images.open, f.Registry)
	if err != nil {
		return nil, finding.List{unreachable(err)}
	}
	ctx, cancel := context.WithTimeout(ctx, images.spec.Registry.RunTimeout())
	defer cancel()
	var out []registry.Image
	var found finding.List
	for _, result := range registry.ResolveAll(ctx, resolver, refs) {
		if result.Err == nil {
			result.Image.Reference = result.Reference.String()
			out = append(out, result.Image)
			continue
		}
		problem, ok := images.at[result.Reference]
		if !ok {
			problem = finding.Finding{ID: finding.Unresolved, Severity: finding.Error}
		}
		problem.Text, problem.Do = result.Err.Error(), "state what the image has in spec.overrides"
		if host := registry.SilentHost(result.Err); host != "" {
			problem.Alike = "images at " + host
		}
		found = append(found, problem)
	}
	return out, append(found, images.held.Findings()...)
}

// unreachable reports that goldenarch cannot query the registries with this
// configuration.
func unreachable(err error) finding.Finding {
	return finding.Finding{
		ID: finding.ConfigInvalid, Severity: finding.Error, Field: "spec.registry", Text: err.Error(), Do: "correct the configuration",
	}
}

// resolve resolves all images of all CRs at once, each image once. It does not query an
// image whose architectures spec.overrides states.
func resolve(ctx context.Context, r registry.Resolver, list []subject.Subject, overrides subject.Overrides,
	spec *settings.Settings, l locks,
) (plan.Answers, finding.List) {
	answers := plan.Answers{}
	var refs []imageref.Reference
	for _, image := range imagesOf(list) {
		if architectures, ok := overrides.Find(image); ok {
			answers[image] = plan.Answer{Platforms: platforms(architectures)}
			continue
		}
		refs = append(refs, image)
	}
	found := append(l.unlocked(refs), l.untrusted(refs)...)
	if len(refs) > 0 {
		ctx, cancel := context.WithTimeout(ctx, spec.Registry.RunTimeout())
		defer cancel()
		for _, result := range registry.ResolveAll(ctx, r, refs) {
			answers[result.Reference] = plan.Answer{
				Platforms: result.Image.Platforms, Digest: result.Image.Digest, Err: result.Err, Lock: l.commandFor(result.Err), Hint: hintOf(result.Err),
				Absent: result.Image.Absent.Linux().Minus(result.Image.Platforms.Linux()), AbsentError: result.Image.AbsentError,
				Host: registry.SilentHost(result.Err),
			}
		}
	}
	return answers, append(found, overrides.Unused(list)...)
}

// asks reports whether a question names an image, even by a text that is not a valid
// reference.
func asks(list []subject.Subject) bool {
	return slices.ContainsFunc(list, func(s subject.Subject) bool {
		return slices.ContainsFunc(s.Questions, func(q plan.Question) bool { return q.Text != "" && q.Problem == nil })
	})
}

// imagesOf returns the images of all questions in the order of their texts, each once.
func imagesOf(list []subject.Subject) []imageref.Reference {
	var questions []plan.Question
	for _, s := range list {
		for _, q := range s.Questions {
			if q.Image != (imageref.Reference{}) && q.Problem == nil {
				questions = append(questions, q)
			}
		}
	}
	slices.SortStableFunc(questions, func(a, b plan.Question) int { return strings.Compare(a.Text, b.Text) })
	var out []imageref.Reference
	seen := map[imageref.Reference]bool{}
	for _, q := range questions {
		if !seen[q.Image] {
			seen[q.Image] = true
			out = append(out, q.Image)
		}
	}
	return out
}

func platforms(set arch.Set) arch.Platforms {
	out := make(arch.Platforms, len(set))
	for i, a := range set {
		out[i] = arch.Platform{OS: "linux", Architecture: a}
	}
	return out
}

// hintOf returns the fix at the end of a registry's error.
func hintOf(err error) string {
	if failed, ok := errors.AsType[*registry.Error](err); ok {
		return failed.Hint
	}
	return ""
}

// errNoResolver is the error of an image if goldenarch has no resolver.
var errNoResolver = errors.New("goldenarch has no access to registries here")

// noResolver resolves no image.
type noResolver struct{}

func (noResolver) Resolve(context.Context, imageref.Reference) (registry.Image, error) {
	return registry.Image{}, errNoResolver
}

// Needed reports whether a run reads the contents of an item. If not, the run only
// looks up Secrets and ConfigMaps by name, see [Function.Named], and passes on the
// other items unread. If the nodes do not show what a reader makes of the item, it is
// needed.
func Needed(item *yaml.RNode) bool {
	at := object.Ref(item)
	_, near := kinds.Similar(at.APIVersion, at.Kind)
	_, isList := object.ElementKind(at.Kind)
	_, isSealed := access.SecretMakers[at.Kind]
	file, _ := object.Place(item)
	switch {
	case at.APIVersion == "", at.Kind == "", object.IsLocal(item), unclear(item.YNode()):
		return true
	case near, isList, isSealed, emit.IsEmittedKind(at.Kind), wrapper.MayHoldCR(at.APIVersion, at.Kind, item.YNode()):
		return true
	case strings.HasPrefix(at.APIVersion, v1alpha1.Group+"/"), hyperconverged.Is(at.APIVersion, at.Kind), forecast.IsSSP(at.APIVersion, at.Kind):
		return true
	case cluster.Reads(at.APIVersion, at.Kind), kinds.IsNode(at), imagestream.Is(at.APIVersion, at.Kind), mirror.Is(at.APIVersion, at.Kind):
		return true
	case object.Annotation(item, workload.RecordAnnotation) != "":
		return true
	case items.IsScheduler(at), at.Kind == forecast.KindPVC, at.Kind == forecast.KindDataSource, machine.Reads(at):
		return true
	}
	return strings.Contains("/"+file, "/"+emit.Dir+"/") || podspec.MayHave(item.YNode()) || object.HasTexts(item)
}

// NeededBeside is Needed for the items of a ResourceList. The configuration may be
// among them, and goldenarch reports kpt's packages separately by their items.
func NeededBeside(config, item *yaml.RNode) bool {
	return Needed(item) || object.PackageOf(item) != "" || !config.IsNilOrEmpty() && object.Ref(item) == object.Ref(config)
}

// unclear reports whether an object has a list named items, or more content than its
// lines show: a duplicate key, an alias, a merge key.
func unclear(n *yaml.Node) bool {
	if yamlnode.HasAlias(n) || yamlnode.HasMergeKey(n) || object.ListItems(n) != nil {
		return true
	}
	for _, field := range []string{"metadata", "annotations"} {
		if yamlnode.HasRepeatedKey(n) {
			return true
		}
		if n, _ = yamlnode.Child(n, field); n == nil || n.Kind != yaml.MappingNode {
			return false
		}
	}
	return yamlnode.HasRepeatedKey(n)
}
