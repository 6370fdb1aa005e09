package prediction

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imagestream"
	"github.com/goldenarch/goldenarch/internal/input"
	"github.com/goldenarch/goldenarch/internal/input/kinds"
	"github.com/goldenarch/goldenarch/internal/input/livecr"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/settings"
	"github.com/goldenarch/goldenarch/internal/subject"
)

// inputs is what a prediction needs of the items.
type inputs struct {
	input.Input
	crs      []object.Object
	existing []forecast.Existing // in the cluster
	images   subject.Images
	found    finding.List
	// outcomesOnly is [Predictor.OutcomesOnly].
	outcomesOnly bool
}

func (p Predictor) readInputs(items []*yaml.RNode, spec *settings.Settings) inputs {
	nodes, wrong := p.readNodes()
	crs, in, standing, found := forecastInput(items, nodes)
	in.Parsed = p.Parsed
	var more finding.List
	in.Live, more = livecr.Read(p.Live, p.Source.MayBeLive(object.All(items)))
	wrong = append(wrong, more...)
	_, more = p.Source.WithReleaseOf(in.Live.ForAny(crs), spec)
	wrong = append(wrong, more...)
	if stated, says := cluster.FromConfig(spec.Cluster); says {
		in.Facts = slices.Concat([]cluster.Facts{stated}, in.Facts)
	}
	images, _ := subject.NewImages(in.Streams, spec) // the run reports invalid overrides
	found = asWarnings(in.WithoutPools(found))
	return inputs{Input: in, crs: crs, existing: standing, images: images, found: append(wrong, found...), outcomesOnly: p.OutcomesOnly}
}

// readNodes returns what counts in addition to the items, or in their place.
func (p Predictor) readNodes() (input.Nodes, finding.List) {
	nodes, found := input.ReadNodes(p.Nodes)
	if p.Config == nil || p.Source.Policy == nil {
		return nodes, found
	}
	nodes, more := nodes.With(p.Config.PolicyFacts, p.Config.StatesNodes)
	nodes.NoStatus = true
	return nodes, append(found, more...)
}

// forecastInput collects CRs, node facts and existing objects of the cluster from the
// items. It reports facts that cannot be read, and uses the others.
func forecastInput(items []*yaml.RNode, nodes input.Nodes) ([]object.Object, input.Input, []forecast.Existing, finding.List) {
	var crs []object.Object
	var standing []forecast.Existing
	in := input.Input{Nodes: nodes, Facts: nodes.Facts}
	var found finding.List
	list := object.All(items)
	found = append(found, kinds.ReportSimilar(list)...)
	for _, o := range list {
		switch {
		case kinds.IsCR(o):
			crs = append(crs, o)
		case kinds.HasNodeFacts(o):
			found = append(found, in.AddFacts(o)...)
		case imagestream.Is(o.At.APIVersion, o.At.Kind):
			found = append(found, in.AddStream(o)...)
		}
		if o.At.Kind != forecast.KindPVC && o.At.Kind != forecast.KindDataSource {
			continue
		}
		if tree, err := o.Tree(); err == nil {
			if e, is := forecast.ReadExisting(tree); is {
				standing = append(standing, e)
			}
		}
	}
	return crs, in, standing, found
}
