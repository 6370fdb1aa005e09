package fn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/finding"
	"github.com/goldenarch/goldenarch/resourcelist"
)

// ErrFindings is the error of a run that found errors. The findings themselves
// are in the results.
var ErrFindings = errors.New("goldenarch found errors: nothing was changed")

// Process runs the function on a ResourceList: items and results are set, and
// the findings returned. The error is [ErrFindings] if one of them is an error;
// then the items are those that came in.
func (f Function) Process(ctx context.Context, rl *resourcelist.List) (finding.List, error) {
	items, found := f.process(ctx, rl)
	found = withoutLines(found).Sorted()
	rl.Results = append(rl.Results, found.Results()...)
	if found.Failed() {
		return found, ErrFindings
	}
	rl.Items = items
	return found, nil
}

func (f Function) process(ctx context.Context, rl *resourcelist.List) ([]*yaml.RNode, finding.List) {
	config, found := f.config(rl.FunctionConfig, rl.Items)
	if found.Failed() {
		return nil, found
	}
	items := withoutConfig(rl.Items, rl.FunctionConfig)
	extra, list := f.inputs(config.Spec.Inputs)
	found = append(found, list...)
	if found = append(found, forHost(extra)...); found.Failed() {
		return nil, found
	}
	out, list := f.Run(ctx, slices.Concat(items, extra), &config.Spec)
	found = append(found, ofConfig(list, config)...)
	found = append(found, nodesInPackage(items)...)
	return slices.DeleteFunc(out, func(item *yaml.RNode) bool { return slices.Contains(extra, item) && !forCluster(item) }), found
}

// withoutConfig leaves out the configuration that kustomize passes to a
// generator as its only item: it would stay among the resources. Under kpt the
// same item has a path and is the user's file, which dropping would delete.
func withoutConfig(items []*yaml.RNode, config *yaml.RNode) []*yaml.RNode {
	if config.IsNilOrEmpty() {
		return items
	}
	var out []*yaml.RNode
	for _, item := range items {
		file, _ := place(item)
		if file == "" && refer(item) == refer(config) {
			continue
		}
		out = append(out, item)
	}
	return out
}

// nodesInPackage tells of items with Nodes that the host would apply to the
// cluster.
func nodesInPackage(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, item := range items {
		nodes := slices.DeleteFunc(objects([]*yaml.RNode{item}), func(o object) bool {
			return o.at.Kind != "Node" || o.at.APIVersion != "v1" || isLocal(o.node)
		})
		if len(nodes) == 0 || isLocal(item) {
			continue
		}
		at := refer(item)
		at.File, at.Index = place(item)
		found = append(found, finding.Finding{
			ID: finding.NodeInPackage, Severity: finding.Warning, Object: at,
			Text: fmt.Sprintf("%s is an item like any other: whoever applies the output applies its Nodes to the cluster", at),
			Do:   "annotate it with " + localConfig + `: "true", or state the nodes in a ClusterArchitectures`,
		})
	}
	return found
}

// withoutLines takes the lines out of findings: in a ResourceList they are
// those of the stream, not of the user's file.
func withoutLines(list finding.List) finding.List {
	for i := range list {
		list[i].Line = 0
	}
	return list
}
