package workspace

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// Fixer decides what fix writes.
type Fixer struct {
	Options

	// Patch says that decisions about a kustomization go into a patch of its own, and KeepGoing
	// that clusters without an error are written.
	Patch, KeepGoing bool
	// Verb is fix, or init, for the commands that findings advise.
	Verb string
}

// Fixed is what a run of fix writes.
type Fixed struct {
	Changes []files.Change
	Paths   []string // what the run is about: it writes in their tree
	// Root is the repository, "" for one input, with the number of its clusters, and those that are not written.
	Root     string
	Clusters int
	Failed   []string
}

// Run decides about paths. A run that failed has nothing to write: its result is nil.
func (f *Fixer) Run(ctx context.Context, paths []string, function pipeline.Function) (*Fixed, finding.List, error) {
	root, ok, err := f.statesFleet(paths)
	if err != nil {
		return nil, nil, err
	}
	if ok {
		return f.repository(ctx, root, function)
	}
	in := f.newReader()
	in.request = (*reader).withoutPatches
	in.runGenerators(ctx, function)
	items, found := in.read(paths)
	if root, ok := isRepository(in, paths, items, found); ok {
		return f.repository(ctx, root, function)
	}
	if found.Failed() {
		return nil, in.located(found), nil
	}
	return f.input(ctx, paths, function, in, func(again *reader) ([]*yaml.RNode, finding.List) {
		if again == in {
			return items, found
		}
		return again.read(paths)
	})
}

// input decides about paths that are one input.
func (f *Fixer) input(
	ctx context.Context, paths []string, function pipeline.Function, in *reader, read func(*reader) ([]*yaml.RNode, finding.List),
) (*Fixed, finding.List, error) {
	prepare := func(in *reader, function *pipeline.Function) (preparedInput, finding.List, error) {
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
	edit := editor{in: in, patch: f.Patch, verb: f.Verb}
	changes, more := edit.changes(paths, decided.before, decided.after)
	if found = append(found, more...); found.Failed() {
		return nil, found, nil
	}
	return &Fixed{Changes: changes, Paths: f.CRPaths.files(paths)}, found, nil
}

// unreadIsAll reports whether the input has no CR that goldenarch reads, in a run that is not
// about pods.
func unreadIsAll(d fixDecision) bool {
	return !slices.ContainsFunc(object.All(d.input.items), kinds.IsCR) && !slices.ContainsFunc(configsOf(d.input.steps), d.function.AboutPods)
}

// repository decides about the clusters of a repository. An error in one cluster leaves all files as they are, or those of that
// cluster with KeepGoing.
func (f *Fixer) repository(ctx context.Context, root string, function pipeline.Function) (*Fixed, finding.List, error) {
	states, layout, before, err := f.layout(root, function, scan{})
	if err != nil {
		return nil, nil, err
	}
	clusters := clusterFixer{Fixer: f}
	all, found, err := clusters.fix(ctx, root, function, states, layout, before)
	if err != nil || all == nil {
		return nil, found, err
	}
	return &Fixed{Changes: all.changes(), Paths: []string{root}, Root: root, Clusters: all.count(), Failed: all.failed()}, found, nil
}
