package pipeline

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
)

// predictionInput is what a prediction needs of the items.
type predictionInput struct {
	input
	crs      []object
	standing []forecast.Existing // in the cluster
	found    finding.List
}

func (f Function) predictionInput(items []*yaml.RNode, spec *v1alpha1.GoldenImagesSpec) predictionInput {
	nodes, wrong := f.readNodes()
	crs, in, standing, found := forecastInput(items, nodes)
	var more finding.List
	in.live, more = f.readLive(objects(items))
	wrong = append(wrong, more...)
	_, more = f.released(in.live.among(crs), spec)
	wrong = append(wrong, more...)
	if stated, says := cluster.FromConfig(spec.Cluster); says {
		in.facts = slices.Concat([]cluster.Facts{stated}, in.facts)
	}
	return predictionInput{input: in, crs: crs, standing: standing, found: append(wrong, found...)}
}

// forecastInput takes CRs, node facts and what stands in the cluster out of the
// items. Facts that cannot be read are told, and the rest taken.
func forecastInput(items []*yaml.RNode, nodes givenNodes) ([]object, input, []forecast.Existing, finding.List) {
	var crs []object
	var standing []forecast.Existing
	in := input{nodes: nodes, facts: nodes.facts}
	var found finding.List
	list := objects(items)
	found = append(found, nearKinds(list)...)
	for _, o := range list {
		switch {
		case isCR(o):
			crs = append(crs, o)
		case tellsNodes(o):
			found = append(found, in.takeFacts(o)...)
		case imagestream.Is(o.at.APIVersion, o.at.Kind):
			found = append(found, in.takeStream(o)...)
		}
		if o.at.Kind != forecast.KindPVC && o.at.Kind != forecast.KindDataSource {
			continue
		}
		if tree, err := o.tree(); err == nil {
			if e, is := forecast.ReadExisting(tree); is {
				standing = append(standing, e)
			}
		}
	}
	return crs, in, standing, lowered(found)
}
