package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/access"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/machine"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// Images has the images that the CRs of an input refer to, and what is needed to query
// their registries.
type Images struct {
	// ToQuery are the images that a run would query, sorted.
	ToQuery []imageref.Reference
	// Stated are the images whose architectures a person states.
	Stated []imageref.Reference
	// CRs, Pods, Machines and Locks are the places of these objects. A machine is there if it
	// names an image.
	CRs, Pods, Machines, Locks []finding.Object
	// Verify is how far goldenarch trusts the indexes of the images.
	Verify v1alpha1.Verify

	step      *loadedStep          // nil for a run
	access    *access.Access       // what the items provide for access to registries
	byCDI     []imageref.Reference // those that pods of CDI pull, beside those of templates
	operators operators
	at        map[imageref.Reference]finding.Finding // the first template or pod that names an image
	steps     []Images                               // of a run, those of each step
	ownLock   string                                 // the lock that the configuration of the step names
	locked    []object.Object                        // the locks
}

// Images returns the images that a run of the steps would query. They do not depend on
// the nodes of the cluster, which may be unknown.
func (f Function) Images(items []*yaml.RNode, steps []Step) (Images, finding.List) {
	s := f.load(items, steps, nil)
	if s.Failed() {
		return Images{}, s.List
	}
	parts := make([]Images, len(s.steps))
	for i, step := range s.steps {
		var found finding.List
		parts[i], found = step.images(s.items)
		s.AddDistinct(found...)
	}
	return joinImages(parts), s.report()
}

// joinImages returns the images of some steps as those of one.
func joinImages(parts []Images) Images {
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

// Hosts returns the hosts that a run contacts for the images that no lock has, sorted.
func (i Images) Hosts() []string {
	var out []string
	for _, part := range i.all() {
		known, _ := newLock(part.locked, part.ToQuery, nil) // a run reports what is wrong with it
		for _, ref := range part.ToQuery {
			if _, ok := known.Find(ref); !ok {
				out = append(out, part.access.Hosts(ref)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
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

// add adds the image of a question. A source without a registry has no image.
func (i *Images) add(s join.Joined, q plan.Question) finding.List {
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
		return finding.List{q.InvalidReference(at.Field)}
	}
	into := &i.ToQuery
	if _, ok := i.step.config.Settings.Images.Find(q.Image); ok {
		into = &i.Stated
	}
	i.note(into, q.Image, s.Locate(finding.List{at})[0])
	return nil
}

// note adds an image to a list, with the finding if it cannot be resolved, unless another object
// has named it.
func (i *Images) note(into *[]imageref.Reference, ref imageref.Reference, unresolved finding.Finding) {
	if _, known := i.at[ref]; !known {
		i.at[ref] = unresolved
		*into = append(*into, ref)
	}
}

// addPods adds the images of pods to those of the CRs.
func (i *Images) addPods(s *loadedStep, items []*yaml.RNode, in input.Input) finding.List {
	list, run, found := s.findPods(items, nil, in, s.config.Settings)
	if found.Failed() {
		return found
	}
	images := newPodImages(list.Images(), run.Spec.IgnoreImages, s.config.Settings.Images)
	found = append(found, s.locatePods(images.found)...)
	unresolved := func(ref imageref.Reference) finding.Finding {
		return finding.Finding{
			ID: finding.PodUnresolved, Severity: finding.Error, Current: ref.String(),
			Do: "state its architectures in spec.overrides, or leave it out with spec.ignoreImages of a WorkloadArchitectures",
		}
	}
	for _, ref := range images.stated {
		i.note(&i.Stated, ref, unresolved(ref))
	}
	for _, ref := range images.refs {
		i.note(&i.ToQuery, ref, unresolved(ref))
	}
	i.Pods = list.Places()
	operators, installed := list.Operators()
	i.operators = newOperators(operators, installed, images, s.function.PackageOf)
	return found
}

// addMachines adds the images of machines: container disks, kernels and registry sources, and those
// of the DataImportCrons in Git, which fill the disks of machines.
func (i *Images) addMachines(s *loadedStep, in input.Input) {
	list, _ := machine.Find(in.Objects) // a check reports what it cannot read
	for _, m := range list {
		texts := machine.ImagesOf([]machine.Found{m}, nil, in.Streams)
		if len(texts) > 0 && !slices.Contains(i.Machines, m.At) {
			i.Machines = append(i.Machines, m.At)
		}
		i.noteAll(s, m.At, texts)
	}
	i.byCDI = references(machine.ImagesOfPods(list, machine.Crons(in.Objects)))
	i.noteAll(s, finding.Object{}, machine.ImagesOf(list, in.Objects, in.Streams))
}

// noteAll adds the images that a machine names.
func (i *Images) noteAll(s *loadedStep, at finding.Object, texts []string) {
	images := newPodImages(texts, nil, s.config.Settings.Images)
	i.Stated = append(i.Stated, images.stated...)
	for _, ref := range images.refs {
		i.note(&i.ToQuery, ref, finding.Finding{ID: finding.Unresolved, Severity: finding.Error, Object: at, Current: ref.String()})
	}
}

// Answers resolves references at their registries, all at once, regardless of any lock: those of each step with its configuration.
// Each reference that cannot be resolved is an error finding. The answers have the order of the references.
func (i Images) Answers(ctx context.Context, refs []imageref.Reference) ([]registry.Image, finding.List) {
	var out []registry.Image
	var found finding.List
	all := i.all()
	for at, part := range all {
		own := refs
		if at < len(all)-1 { // the last step also queries what no step names: entries of the lock
			queried := setOf(part.ToQuery)
			own = slices.DeleteFunc(slices.Clone(refs), func(ref imageref.Reference) bool { return !queried[ref] })
		}
		done := setOf(own)
		refs = slices.DeleteFunc(slices.Clone(refs), func(ref imageref.Reference) bool { return done[ref] })
		answers, list := part.answersOfStep(ctx, own)
		out, found = append(out, answers...), append(found, list...)
	}
	return out, found
}

func setOf[E comparable](list []E) map[E]bool {
	out := make(map[E]bool, len(list))
	for _, element := range list {
		out[element] = true
	}
	return out
}

// answersOfStep resolves references with the configuration of one step.
func (i Images) answersOfStep(ctx context.Context, refs []imageref.Reference) ([]registry.Image, finding.List) {
	if len(refs) == 0 {
		return nil, nil
	}
	resolver, err := i.access.Open(i.step.open, i.step.function.Registry)
	if err != nil {
		return nil, finding.List{unreachable(err)}
	}
	ctx, cancel := context.WithTimeout(ctx, i.step.config.Settings.Registry.RunTimeout())
	defer cancel()
	var out []registry.Image
	var found finding.List
	for _, result := range registry.ResolveAll(ctx, resolver, refs) {
		if result.Err == nil {
			result.Image.Reference = result.Reference.String()
			out = append(out, result.Image)
			continue
		}
		problem, ok := i.at[result.Reference]
		if !ok {
			problem = finding.Finding{ID: finding.Unresolved, Severity: finding.Error}
		}
		problem.Text, problem.Do = result.Err.Error(), cmp.Or(problem.Do, "state its architectures in spec.overrides")
		if advice := i.step.function.forOneRun(result.Reference, result.Err); advice != "" {
			hint := hintOf(result.Err)
			problem.Text, problem.Do = strings.TrimSuffix(problem.Text, "; "+hint), advice+hint
		}
		if host := registry.SilentHost(result.Err); host != "" {
			problem.Alike = "images at " + host
		}
		found = append(found, problem)
	}
	return out, append(found, i.access.Findings()...)
}
