package workspace

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize/edit"
)

// corrector is a cluster of a repository, of which a run may correct the declared architectures.
type corrector struct {
	path     string
	workload arch.Set
	found    finding.List
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
