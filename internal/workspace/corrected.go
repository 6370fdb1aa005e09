package workspace

import (
	"context"
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
	"github.com/goldenarch/goldenarch/internal/workspace/fleet"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
)

// corrector is what a run has decided about a cluster, of which it may correct the declared architectures.
type corrector interface {
	// corrects returns the workload architectures of the cluster, and the findings about it.
	corrects() (workload arch.Set, found finding.List)
}

// decideAll decides about clusters, several at once, and once more about each that keeps for others what it would correct.
func decideAll[C corrector](ctx context.Context, targets []target, covering *edit.Consumers, decide func(context.Context, target) C) []C {
	all := fleet.Run(ctx, targets, decide)
	for i, others := range othersWith(all, targets, covering) {
		if len(others) > 0 {
			again := targets[i]
			again.others = others
			all[i] = decide(ctx, again)
		}
	}
	return all
}

// consumersIn returns who builds the files of a tree: all, and those for a run about some directories.
func consumersIn(tree files.Tree, dirs []string) (consumers, covering *edit.Consumers) {
	consumers = edit.ConsumersIn(tree.Root(), repo.Applied)
	return consumers, consumers.Covering(dirs)
}

// othersWith returns, for each cluster, the workload architectures of the others that build a file
// in which the run corrects what a person declared, where one of them has an architecture of it: the
// declaration is theirs. It is nil for a cluster that may go on as it did.
func othersWith[C corrector](all []C, targets []target, covering *edit.Consumers) []arch.Set {
	out := make([]arch.Set, len(all))
	for i, one := range all {
		_, found := one.corrects()
		for _, f := range found {
			declared, ok := f.Current.(string)
			if f.ID != finding.ClaimReplaced || !ok || f.Object.File == "" {
				continue
			}
			builders := covering.Of(f.Object.File)
			var others arch.Set
			for j, other := range all {
				if path, err := files.Real(targets[j].Path); j != i && err == nil && slices.Contains(builders, path) {
					workload, _ := other.corrects()
					others = arch.NewSet(slices.Concat(others, workload)...)
				}
			}
			if meant, _ := arch.Claim(declared).Meant(); len(meant.Intersect(others)) > 0 {
				out[i] = arch.NewSet(slices.Concat(out[i], others)...)
			}
		}
	}
	return out
}
