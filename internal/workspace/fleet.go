package workspace

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
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
	function := &i.function
	counting, stated := countingFor(*function, i.items, i.steps[0].Config)
	adds := t.states.Additions(t.Entry, counting, stated, function.Live != nil)
	if adds.Found.Failed() {
		return adds.Found
	}
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
		i.steps, function.Dir = engine.Given(adds.Config), adds.Dir
	}
	i.items = slices.Concat(i.items, adds.Items)
	return adds.Found
}
