package engine

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/engine/input"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/engine/prediction"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Step is one configuration of a run. A run does its steps in their order: the items of one
// are the input of the next.
type Step struct {
	// Config is the configuration; nil for the one among the items, or else the defaults.
	Config *yaml.RNode
	// Dir contains the files of spec.inputs; "" for that of the Function.
	Dir string
	// Listed says that a host or a kustomization lists the step. The configurations of its
	// kind among the items then have no effect, unless the step states nothing.
	Listed bool
}

// countsAlone reports whether the configurations of its kind among the items have no effect beside the step.
func (s Step) countsAlone() bool { return s.Listed && !configuration.StatesNothing(s.Config) }

// Given returns the only step of a run: with a configuration, or with nil for the one among
// the items.
func Given(config *yaml.RNode) []Step { return []Step{{Config: config}} }

// aboutPods reports whether the configuration of a step is about pods alone.
func (s Step) aboutPods() bool {
	return kinds.IsGoldenarch(object.Ref(s.Config), v1alpha1.WorkloadArchitecturesKind)
}

// indexOf returns the step whose configuration an object is, -1 for none.
func indexOf(steps []Step, o object.Object) int {
	return slices.IndexFunc(steps, func(s Step) bool {
		at := object.Ref(s.Config)
		return at.Kind == o.At.Kind && at.Name == o.At.Name && kinds.IsGoldenarch(o.At, at.Kind)
	})
}

// loadedStep is a step with its configuration, and the items of the files that it names.
type loadedStep struct {
	Step

	// function has the dependencies, and source the sources of the configuration.
	function Function
	source   configuration.Source
	config   *configuration.Config
	// exceptions are those of all steps, and of the items.
	exceptions finding.Exceptions
	// extra are the items of the files.
	extra []*yaml.RNode
	// open opens the registries, whose answers all steps share, and crs has the CRs that any
	// step has parsed.
	open func(registry.Options) (registry.Resolver, error)
	crs  *hyperconverged.Parsed
	// decides says that the forecast of a check, and what fix writes, are about this step.
	decides bool
}

// onlyChecks reports whether a step of a run by check or fix changes nothing. These verbs
// ignore spec.mode where no other step decides.
func (s *loadedStep) onlyChecks() bool { return s.checks() && !s.decides }

// checks reports whether the configuration says that the step changes nothing.
func (s *loadedStep) checks() bool { return s.config.Spec.Mode == v1alpha1.ModeCheck }

// input returns the items of a step.
func (s *loadedStep) input(items []*yaml.RNode) []*yaml.RNode { return slices.Concat(items, s.extra) }

// predictor returns the predictor with the options of the step.
func (s *loadedStep) predictor(how prediction.Admission) prediction.Predictor {
	out := prediction.Predictor{Source: s.source, Live: s.function.Live, Parsed: s.crs, Settings: s.config.Settings, Admission: how}
	out.Nodes, out.WrongNodes = s.readNodes()
	return out
}

// readNodes returns the nodes that count in addition to those of the items. Where the user does not
// trust the items, those of the policy count, too, or in their place.
func (s *loadedStep) readNodes() (input.Nodes, finding.List) {
	nodes, found := input.ReadNodes(s.function.Nodes)
	if s.function.Policy == nil {
		return nodes, found
	}
	nodes, more := nodes.With(s.config.PolicyFacts, s.config.StatesNodes)
	nodes.NoStatus = true
	return nodes, append(found, more...)
}

// rank orders steps by what they say about golden images: one about pods comes before one
// about golden images, and one that checks before one that writes.
func (s *loadedStep) rank() int {
	switch {
	case s.config.OnlyWorkloads:
		return 0
	case s.checks():
		return 1
	}
	return 2
}

// runOrCheck does what spec.mode requires with the items. A check uses copies: the
// items stay unchanged, and pass through as they are.
func (s *loadedStep) runOrCheck(ctx context.Context, items []*yaml.RNode) ([]*yaml.RNode, finding.List) {
	if !s.checks() {
		r := s.run(ctx, items)
		return r.items, r.findings()
	}
	return items, s.exceptions.Adjusted(s.check(ctx, copied(items)))
}

// newRun returns a run of the step on items.
func (s *loadedStep) newRun(items []*yaml.RNode) *run {
	return &run{loadedStep: s, spec: s.config.Settings, items: items, edited: map[*yaml.RNode]*yaml.RNode{}}
}

// run runs the step on items: it corrects the CRs and pods among them. If a finding is an
// error, the items are unchanged.
func (s *loadedStep) run(ctx context.Context, items []*yaml.RNode) *run {
	r := s.newRun(items)
	r.decide(ctx)
	r.finish(items)
	r.apply()
	return r
}

// check checks items by the rules of the verb, as they are.
func (s *loadedStep) check(ctx context.Context, items []*yaml.RNode) finding.List {
	committed := check.Snapshot(items)
	j := judgement{Result: check.New(nil, items, s.crs), step: s}
	r := j.decide(ctx, s, items, committed)
	j.judge(check.Run{Committed: committed, Rendered: r.items})
	return prediction.Fold(j.Findings).Unchanged()
}

// images returns the images of one step.
func (s *loadedStep) images(items []*yaml.RNode) (Images, finding.List) {
	var found finding.Collector
	spec := s.config.Settings
	out := Images{step: s, Verify: spec.Registry.Verify, at: map[imageref.Reference]finding.Finding{}}
	items = s.input(items)
	in := input.New(input.Nodes{}, items, s.crs)
	for _, o := range in.Objects {
		if kinds.IsCR(o) || imagestream.Is(o.At.APIVersion, o.At.Kind) || kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			found.Add(in.Add(o)...)
		}
	}
	if s.config.OnlyWorkloads {
		in.CRs = nil
	}
	out.locked = in.Locks
	for _, o := range in.Locks {
		out.Locks = append(out.Locks, o.At)
		if slices.Contains(s.extra, o.Item) {
			out.ownLock = o.At.File
		}
	}
	joined := join.WithoutCluster(in, spec)
	for _, one := range joined {
		out.CRs = append(out.CRs, one.At)
		for _, q := range one.Questions {
			found.Add(one.Locate(out.add(one, q))...)
		}
	}
	found.Add(out.addPods(s, items, in)...)
	if !s.config.OnlyWorkloads {
		out.addMachines(s, in)
	}
	mirrors, list := readMirrors(s, in.Objects)
	found.Add(list...)
	out.access = newAccess(s, in.Objects, mirrors, joined, out.byCDI)
	return out, configuration.Locate(found.List, s.config)
}

// session is one call of an entry point: its items, its steps with their configurations, and
// what it has found so far.
type session struct {
	finding.Collector

	items   []*yaml.RNode
	objects []object.Object // of the items, before any step
	given   []Step
	steps   []*loadedStep
	// deciding is the step that the forecast is about.
	deciding *loadedStep
	// isListed reports the items that are configurations of functions outside of this call.
	isListed func(object.Object) bool
	// exceptions are those of all steps, and of the items.
	exceptions finding.Exceptions
}

// load loads the configurations of all steps. The steps query each image once, and parse each
// CR once. isListed reports the items that are configurations of functions outside of this
// call; nil if all are known. Every entry point begins with load, and goes on unless the
// session failed.
func (f Function) load(items []*yaml.RNode, steps []Step, isListed func(object.Object) bool) *session {
	if len(steps) == 0 {
		steps = Given(nil)
	}
	if isListed == nil {
		isListed = func(object.Object) bool { return false }
	}
	s := &session{items: items, objects: object.All(items), given: steps, isListed: isListed}
	crs := f.newParsed()
	for i := range steps {
		if one := s.loadStep(f, i); one != nil {
			one.crs, one.open = crs, s.opener(f, one.config.Spec.Registry)
			s.steps = append(s.steps, one)
		}
	}
	s.chooseDeciding()
	s.readExceptions(f.Source)
	return s
}

// opener returns what opens the registries of a step. Steps whose spec.registry differs may get
// different answers, and share none.
func (s *session) opener(f Function, spec v1alpha1.RegistrySpec) func(registry.Options) (registry.Resolver, error) {
	for _, other := range s.steps {
		if reflect.DeepEqual(other.config.Spec.Registry, spec) {
			return other.open
		}
	}
	return remembering(f.Open)
}

// loadStep loads the configuration of a step; nil if it is wrong.
func (s *session) loadStep(f Function, i int) *loadedStep {
	step := s.given[i]
	source := f.Source
	source.Dir = cmp.Or(step.Dir, f.Dir)
	if !step.aboutPods() && slices.ContainsFunc(s.given, Step.aboutPods) {
		source.Options = source.Options.Without("workloads") // it is for the steps about pods
	}
	own := source
	own.Listed = step.countsAlone()
	own.OfOtherStep = func(o object.Object) bool {
		of := indexOf(s.given, o)
		return of >= 0 && of != i || s.isListed(o)
	}
	config, extra, found := own.Load(step.Config, s.items, s.objects)
	if !s.Add(found...) {
		return nil
	}
	return &loadedStep{Step: step, function: f, source: source, config: config, extra: extra}
}

// readExceptions gives each step the exceptions of all of them, and of the items.
func (s *session) readExceptions(source configuration.Source) {
	items := s.items
	for _, step := range s.steps {
		items = slices.Concat(items, step.extra)
		for _, one := range step.config.Exceptions {
			if !slices.Contains(s.exceptions, one) {
				s.exceptions = append(s.exceptions, one)
			}
		}
	}
	annotated, found := source.ExceptionsOf(items)
	s.Add(found...)
	s.exceptions = slices.Concat(s.exceptions, annotated)
	for _, step := range s.steps {
		step.exceptions = s.exceptions
	}
}

// chooseDeciding chooses the step that the forecast is about: of those that say most about
// golden images, the last one.
func (s *session) chooseDeciding() {
	for _, step := range s.steps {
		if s.deciding == nil || step.rank() >= s.deciding.rank() {
			s.deciding = step
		}
	}
	if s.deciding != nil {
		s.deciding.decides = true
	}
}

// report returns the findings with the exceptions applied.
func (s *session) report() finding.List { return s.exceptions.Apply(s.List).List }

// addUnused reports the configurations among the items that no step uses, because a host or a
// kustomization lists another one of their kind.
func (s *session) addUnused(severity finding.Severity) {
	for _, o := range s.objects {
		pods := kinds.IsGoldenarch(o.At, v1alpha1.WorkloadArchitecturesKind)
		isOther := func(step Step) bool { return step.countsAlone() && step.aboutPods() == pods }
		other := slices.IndexFunc(s.given, isOther)
		if !pods && !kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) || other < 0 || indexOf(s.given, o) >= 0 || s.isListed(o) {
			continue
		}
		s.Add(finding.Finding{
			ID: finding.ConfigUnlisted, Severity: severity, Object: o.At, Line: yamlnode.Line(o.Node.YNode(), ""),
			Text: fmt.Sprintf("%s is the configuration of the run, so this one has no effect", object.Ref(s.given[other].Config)),
			Do:   "list it as a function of its own, or remove it",
		})
	}
}
