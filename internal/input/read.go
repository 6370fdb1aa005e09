package input

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Read reads from the items what the run needs. It reports objects that are duplicates,
// that it cannot read, or that the API server would refuse. If the configuration ignores
// the lock, Read treats the lock as an ordinary item.
func Read(items []*yaml.RNode, nodes Nodes, lock v1alpha1.LockMode, crs *hyperconverged.Parsed) (Input, finding.List) {
	in := Input{Nodes: nodes, Facts: nodes.Facts, Parsed: crs}
	var found finding.List
	seen := map[string]object.Object{}
	in.Objects = object.All(items)
	for _, item := range items {
		at := object.New(item).At
		found = append(found, object.DuplicateHeadKeys(object.Object{Item: item, At: at})...)
	}
	found = append(found, kinds.ReportSimilar(in.Objects)...)
	found = append(found, kinds.ReportUnread(in.Objects)...)
	for _, o := range in.Objects {
		if lock == v1alpha1.LockIgnore && kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind) {
			continue
		}
		if key := kinds.Identity(o.At); kinds.MustBeUnique(o) {
			if first, is := seen[key]; is {
				found = append(found, kinds.DuplicateOf(o, first))
				continue
			}
			seen[key] = o
		}
		found = append(found, in.Add(o)...)
	}
	return in, found
}
