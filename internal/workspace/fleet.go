package workspace

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
)

// directoriesAbove returns a directory and those above it up to the root of its Git
// repository, named as the directory is where that leads to them. Outside of Git the
// working directory ends them, which the user has chosen, if the directory is below it.
func directoriesAbove(dir string) []string {
	out := []string{dir}
	at, err := files.Real(dir)
	top := ""
	if err == nil {
		top = files.GitRoot(at)
	}
	if working, err := files.Real("."); err == nil && top == "" && files.Within(at, working) {
		top = working
	}
	for top != "" && at != top {
		at = filepath.Dir(at)
		dir = filepath.Join(dir, "..")
		if there, err := files.Real(dir); err != nil || there != at {
			dir = files.FromHere(at) // the directory is a link: what is above its name is another one
		}
		out = append(out, dir)
	}
	return out
}

// nearestDir returns the first one of a directory and those above it that has something, named as the user would; "" if none has.
func nearestDir(dir string, has func(dir string) bool) string {
	for whole, err := filepath.Abs(dir); err == nil; dir, whole = filepath.Join(dir, ".."), filepath.Dir(whole) {
		if has(dir) {
			return dir
		}
		if whole == filepath.Dir(whole) {
			break
		}
	}
	return ""
}

// withFleet adds to a function what a Fleet states about a cluster. It returns the items and
// the steps of the run.
func withFleet(function *engine.Function, adds fleet.Additions, items []*yaml.RNode, steps []engine.Step) ([]*yaml.RNode, []engine.Step) {
	function.Options.FleetRelease, function.Options.FleetGate = adds.Release, adds.Gate
	if policy := function.Policy; policy != nil {
		policy.Items = slices.Concat(policy.Items, adds.Items)
		policy.StatesNodes = policy.StatesNodes || adds.Live != nil
		if adds.Config != nil {
			policy.Operator = adds.Config
		}
		adds.Items = nil
	}
	if adds.Facts != nil && function.Facts == nil {
		function.Facts = withPublished(adds.Facts)
	}
	if adds.Live != nil {
		function.Live = adds.Live
	}
	if adds.Config != nil {
		steps, function.Dir = engine.Given(adds.Config), adds.Dir
	}
	return slices.Concat(items, adds.Items), steps
}

// countingFor returns the items and the configuration that a Fleet gives way to: those of
// the input, or those of the policy if the input is untrusted.
func countingFor(function engine.Function, items []*yaml.RNode, given *yaml.RNode) ([]*yaml.RNode, *yaml.RNode) {
	switch policy := function.Policy; {
	case policy == nil:
		return items, given
	case policy.Operator != nil:
		return policy.Items, policy.Operator
	case len(policy.Given) > 0:
		return policy.Items, policy.Given[0]
	default:
		return policy.Items, nil
	}
}

// addFleet adds to an input what the Fleet states about its cluster.
func (i *input) addFleet(t target) finding.List {
	counting, stated := countingFor(i.function, i.items, configsOf(i.steps)[0])
	adds := t.states.Additions(t.Entry, counting, stated, i.function.Live != nil)
	if !adds.Found.Failed() {
		i.items, i.steps = withFleet(&i.function, adds, i.items, i.steps)
	}
	return adds.Found
}
