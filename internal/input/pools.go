package input

import (
	"slices"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// WithoutPools makes warnings of the errors about worker pools that cannot be read, where
// a person states the workload architectures: the pools would not count then, and may
// well be another cluster's. The facts are what is stated beside the items.
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
