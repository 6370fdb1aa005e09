package pipeline

import (
	"cmp"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Step is one configuration of a run. A run does its steps in their order: the items of one
// are the input of the next.
type Step struct {
	// Config is the configuration; nil for the one among the items, or else the defaults.
	Config *yaml.RNode
	// Dir contains the files of spec.inputs; "" for that of the Function.
	Dir string
	// Listed says that a host or a kustomization lists the step. The configurations of its
	// kind among the items then have no effect.
	Listed bool
	// Validates says that the step is to change nothing, whatever its spec.mode is.
	Validates bool
	// Generates says that the step is a generator, which has run before the items were
	// built: it receives only the files of spec.inputs. Found has its findings, and Emits is
	// the file that the built items name that it emits.
	Generates bool
	Found     finding.List
	Emits     string
}

// Given returns the only step of a run: with a configuration, or with nil for the one among
// the items.
func Given(config *yaml.RNode) []Step { return []Step{{Config: config}} }

// aboutPods reports whether the configuration of a step is about pods alone.
func (s Step) aboutPods() bool {
	return kinds.IsGoldenarch(object.Ref(s.Config), v1alpha1.WorkloadArchitecturesKind)
}

// emitted reports whether an item of a built kustomization is from a generator.
func (l loaded) emitted(item *yaml.RNode) bool {
	file, _ := object.Place(item)
	return file == l.emits
}

// loaded is a step with its configuration, and the items of the files that it names.
type loaded struct {
	Function

	config *configuration.Config
	extra  []*yaml.RNode
	// decides says that the forecast of a check, and what fix writes, are about this step.
	decides bool
	// generates says that the step has run, and found what it reported.
	generates bool
	found     finding.List
	emits     string
}

// load loads the configurations of all steps. The steps query each image once, and parse each
// CR once. isListed
// reports the items that are configurations of steps outside this run.
func (f Function) load(steps []Step, items []*yaml.RNode, isListed func(object.Object) bool) ([]loaded, finding.List) {
	if len(steps) == 0 {
		steps = Given(nil)
	}
	f.crs = cmp.Or(f.crs, f.newParsed())
	pods := slices.ContainsFunc(steps, Step.aboutPods)
	shared := &answers{open: f.Open}
	out := make([]loaded, len(steps))
	var found finding.List
	decides := 0
	for i, step := range steps {
		one := f
		one.Dir = cmp.Or(step.Dir, f.Dir)
		if pods && !step.aboutPods() {
			one.Options = one.Options.Without("workloads") // it is for the steps about pods
		}
		source := one.source()
		source.Listed = step.Listed
		source.OfOtherStep = func(o object.Object) bool { return i != indexOf(steps, o) && indexOf(steps, o) >= 0 || isListed(o) }
		config, extra, list := source.Load(step.Config, items)
		if found = append(found, list...); list.Failed() {
			continue
		}
		if step.Validates {
			config.Spec.Mode = v1alpha1.ModeCheck
		}
		one.pods = one.podsOf(config)
		if f.Policy != nil {
			one.config = config
		}
		one.Open = shared.opener(config.Spec.Registry)
		out[i] = loaded{Function: one, config: config, extra: extra, generates: step.Generates, found: step.Found, emits: step.Emits}
		if i == 0 || !less(out[i], out[decides]) {
			decides = i
		}
	}
	out[decides].decides = true
	return out, append(found, f.readExceptions(out, items)...)
}

// readExceptions gives each step the exceptions of all of them, and of the items.
func (f Function) readExceptions(all []loaded, items []*yaml.RNode) finding.List {
	var out finding.Exceptions
	for _, step := range all {
		if step.config == nil { // it is wrong, and reported
			continue
		}
		items = slices.Concat(items, step.extra)
		for _, one := range step.config.Exceptions {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	annotated, found := f.source().ExceptionsOf(items)
	for i := range all {
		all[i].exceptions = slices.Concat(out, annotated)
	}
	return found
}

// less reports whether a step says less about golden images than another one: a step about
// them comes before one about pods, and one that writes before one that checks.
func less(a, b loaded) bool {
	rank := func(l loaded) int {
		switch {
		case l.config == nil || l.config.OnlyWorkloads:
			return 0
		case l.config.Spec.Mode == v1alpha1.ModeCheck:
			return 1
		}
		return 2
	}
	return rank(a) < rank(b)
}

// deciding returns the step that the forecast is about.
func deciding(steps []loaded) loaded {
	return steps[slices.IndexFunc(steps, func(l loaded) bool { return l.decides })]
}

// onlyChecks reports whether a step of a run by check or fix changes nothing. These verbs
// ignore spec.mode where no other step decides.
func (l loaded) onlyChecks() bool { return l.config.Spec.Mode == v1alpha1.ModeCheck && !l.decides }

// input returns the items of a step. A generator gets none of the others.
func (l loaded) input(items []*yaml.RNode) []*yaml.RNode {
	if l.generates {
		return l.extra
	}
	return slices.Concat(items, l.extra)
}

// addDistinct adds the findings of another step: what several steps find is reported once.
func addDistinct(found, more finding.List) finding.List {
	type key struct {
		id       finding.ID
		severity finding.Severity
		object   finding.Object
		field    string
		text, do string
	}
	keyOf := func(f finding.Finding) key { return key{f.ID, f.Severity, f.Object, f.Field, f.Text, f.Do} }
	known := map[key]bool{}
	for _, f := range found {
		known[keyOf(f)] = true
	}
	for _, f := range more {
		if !known[keyOf(f)] {
			found = append(found, f)
		}
	}
	return found
}

// indexOf returns the step whose configuration an object is, -1 for none.
func indexOf(steps []Step, o object.Object) int {
	return slices.IndexFunc(steps, func(s Step) bool {
		at := object.Ref(s.Config)
		return at.Kind == o.At.Kind && at.Name == o.At.Name && kinds.IsGoldenarch(o.At, at.Kind)
	})
}

// unused reports the configurations among the items that no step uses, because a host or a
// kustomization lists another one of their kind.
func unused(steps []Step, items []*yaml.RNode, isListed func(object.Object) bool, severity finding.Severity) finding.List {
	var found finding.List
	for _, o := range object.All(items) {
		pods := kinds.IsGoldenarch(o.At, v1alpha1.WorkloadArchitecturesKind)
		isOther := func(s Step) bool { return s.Listed && s.aboutPods() == pods }
		if !pods && !kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) ||
			!slices.ContainsFunc(steps, isOther) || indexOf(steps, o) >= 0 || isListed(o) {
			continue
		}
		found = append(found, finding.Finding{
			ID: finding.ConfigUnlisted, Severity: severity, Object: o.At, Line: yamlnode.Line(o.Node.YNode(), ""),
			Text: "another " + o.At.Kind + " is the listed configuration, so this one has no effect",
			Do:   "list it as a function of its own, or remove it",
		})
	}
	return found
}

// notListed is for runs that know all listed configurations.
func notListed(object.Object) bool { return false }
