package workspace

import (
	"context"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// Fixer decides what fix writes.
type Fixer struct {
	Options

	// Patch says that decisions about a kustomization go into a patch of its own, and KeepGoing
	// that clusters without an error are written.
	Patch, KeepGoing bool
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

// Run decides about paths. An error in one cluster leaves all files as they are, or those of that cluster with KeepGoing. A run that
// failed has nothing to write: its result is nil.
func (f *Fixer) Run(ctx context.Context, paths []string, function engine.Function) (*Fixed, finding.List, error) {
	run, err := f.find(paths, function, scan{})
	if err != nil {
		return nil, nil, err
	}
	fixes := clusterFixer{Fixer: f, paths: f.CRPaths.files(paths)}
	if !run.isOne() {
		fixes.paths = []string{run.root}
	}
	return fixes.fix(ctx, function, run)
}
