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

// corrector is a cluster of a repository, of which a run may correct the declared architectures.
type corrector struct {
	path     string
	workload arch.Set
	found    finding.List
}

// decideAll decides about clusters, several at once, and once more about each that keeps for others what it would correct.
func decideAll[C interface{ corrector() corrector }](
	ctx context.Context, targets []target, covering *edit.Consumers, decide func(context.Context, target) C,
) []C {
	all := fleet.Run(ctx, targets, decide)
	clusters := make([]corrector, len(all))
	for i, one := range all {
		clusters[i] = one.corrector()
	}
	for i, others := range othersWith(clusters, covering) {
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
func othersWith(clusters []corrector, covering *edit.Consumers) []arch.Set {
	out := make([]arch.Set, len(clusters))
	for i, one := range clusters {
		for _, f := range one.found {
			declared, ok := f.Current.(string)
			if f.ID != finding.ClaimReplaced || !ok || f.Object.File == "" {
				continue
			}
			builders := covering.Of(f.Object.File)
			var others arch.Set
			for j, other := range clusters {
				if path, err := files.Real(other.path); j != i && err == nil && slices.Contains(builders, path) {
					others = arch.NewSet(slices.Concat(others, other.workload)...)
				}
			}
			if meant, _ := arch.Claim(declared).Meant(); len(meant.Intersect(others)) > 0 {
				out[i] = arch.NewSet(slices.Concat(out[i], others)...)
			}
		}
	}
	return out
}
