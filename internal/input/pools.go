package input

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// WithoutPools turns errors about worker pools that cannot be read into warnings if the
// user states the workload architectures. In that case, the pools do not count, and they
// may belong to another cluster. stated are the facts from outside the items.
func (in Input) WithoutPools(found finding.List, stated ...cluster.Facts) finding.List {
	if !cluster.StatesWorkload(slices.Concat(stated, in.Facts)) {
		return found
	}
	for i, f := range found {
		if f.ID == finding.NodeInvalid && cluster.IsPool(f.Object.APIVersion, f.Object.Kind) {
			found[i].Severity = finding.Warning
			found[i].Text += "; goldenarch ignores this worker pool, because the workload architectures are stated"
		}
	}
	return found
}
