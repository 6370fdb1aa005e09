package cli

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/write"
)

// fixer decides what fix writes.
type fixer struct {
	options

	// patch says that decisions about a kustomization go into a patch of its own, and keepGoing
	// that clusters without an error are written.
	patch, keepGoing bool
	// verb is fix, or init, for the commands that findings advise.
	verb string
}

// fixed is what a run of fix writes.
type fixed struct {
	changes []write.Change
	paths   []string // what the run is about: it writes in their tree
	// root is the repository, "" for one input, with the number of its clusters, and those that are not written.
	root     string
	clusters int
	failed   []string
}

// run decides about paths. A run that failed has nothing to write: its result is nil.
func (f *fixer) run(ctx context.Context, paths []string, function pipeline.Function) (*fixed, finding.List, error) {
	root, is, err := f.statesFleet(paths)
	if err != nil {
		return nil, nil, err
	}
	if is {
		return f.repository(ctx, root, function)
	}
	in := f.newReader()
	in.request = (*inputReader).withoutPatches
	in.runGenerators(ctx, function)
	items, found := in.read(paths)
	if root, is := isRepository(in, paths, items, found); is {
		return f.repository(ctx, root, function)
	}
	if found.Failed() {
		return nil, in.located(found), nil
	}
	return f.input(ctx, paths, function, in, func(again *inputReader) ([]*yaml.RNode, finding.List) {
		if again == in {
			return items, found
		}
		return again.read(paths)
	})
}

// input decides about paths that are one input.
func (f *fixer) input(
	ctx context.Context, paths []string, function pipeline.Function, in *inputReader, read func(*inputReader) ([]*yaml.RNode, finding.List),
) (*fixed, finding.List, error) {
	prepare := func(in *inputReader, function *pipeline.Function) (preparedInput, finding.List, error) {
		items, found := read(in)
		if found.Failed() {
			return preparedInput{}, found, nil
		}
		input, more, err := in.preparePaths(function, paths, items)
		return input, append(found, more...), err
	}
	decided, err := in.decideWithoutPatches(ctx, function, prepare)
	if err != nil {
		return nil, nil, err
	}
	in = decided.in
	if decided.read.Failed() {
		return nil, in.located(decided.read), nil
	}
	found := in.located(slices.Concat(decided.read, nothingIsError(decided.found, unreadIsAll(decided))))
	if found.Failed() {
		return nil, found, nil
	}
	edit := editor{in: in, patch: f.patch, verb: f.verb}
	changes, more := edit.changes(paths, decided.before, decided.after)
	if found = append(found, more...); found.Failed() {
		return nil, found, nil
	}
	return &fixed{changes: changes, paths: f.crPaths.files(paths)}, found, nil
}

// unreadIsAll reports whether the input has no CR that goldenarch reads, in a run that is not
// about pods.
func unreadIsAll(d fixDecision) bool {
	return !slices.ContainsFunc(object.All(d.input.items), kinds.IsCR) && !slices.ContainsFunc(configsOf(d.input.steps), d.function.AboutPods)
}

// repository decides about the clusters of a repository. An error in one cluster leaves all files as they are, or those of that
// cluster with keepGoing.
func (f *fixer) repository(ctx context.Context, root string, function pipeline.Function) (*fixed, finding.List, error) {
	states, layout, before, err := f.layout(root, function, scan{})
	if err != nil {
		return nil, nil, err
	}
	clusters := clusterFixer{fixer: f}
	all, found, err := clusters.fix(ctx, root, function, states, layout, before)
	if err != nil || all == nil {
		return nil, found, err
	}
	return &fixed{changes: all.changes(), paths: []string{root}, root: root, clusters: all.count(), failed: all.failed()}, found, nil
}
