package pipeline

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/object"
	"github.com/goldenarch/goldenarch/internal/output"
)

// ErrFindings is the error of a run that found errors. The findings themselves
// are in the results.
var ErrFindings = errors.New("goldenarch found errors and changed nothing")

// Process runs the function on a ResourceList. It adds the findings to the results, and
// returns them. The error is [ErrFindings] if one of the findings is an error; then the
// items are unchanged.
func (f Function) Process(ctx context.Context, rl *framework.ResourceList) (finding.List, error) {
	items, found := f.process(ctx, rl)
	found = append(found, f.oldKustomize(rl.Items, found)...)
	found = withoutLines(found).Sorted()
	rl.Results = append(rl.Results, found.Results()...)
	if found.Failed() {
		return found, ErrFindings
	}
	rl.Items = items
	return found, nil
}

// Generate runs the function as a generator of kustomize, which passes it no items but its
// configuration. It returns the objects that the function emits.
func (f Function) Generate(ctx context.Context, step Step) ([]*yaml.RNode, finding.List) {
	f.Dir = cmp.Or(step.Dir, f.Dir)
	items, found := f.process(ctx, &framework.ResourceList{FunctionConfig: step.Config})
	return items, found.Sorted()
}

func (f Function) process(ctx context.Context, rl *framework.ResourceList) ([]*yaml.RNode, finding.List) {
	steps := []Step{{Config: rl.FunctionConfig, Listed: !rl.FunctionConfig.IsNilOrEmpty()}}
	isListed, severity := listedInHost(rl.Items)
	all, found := f.load(steps, rl.Items, isListed)
	if found.Failed() {
		return nil, found
	}
	step := all[0]
	if found = append(found, output.PrepareForHost(step.extra)...); found.Failed() {
		return nil, found
	}
	found = append(found, unused(steps, rl.Items, isListed, severity)...)
	items := withoutConfig(rl.Items, rl.FunctionConfig)
	out, list := step.runPackages(ctx, items, step.extra, step.config)
	found = append(found, list...)
	found = append(found, output.NodesInPackage(items)...)
	return withoutInputs(out, step.extra), found
}

// withoutInputs omits the additional items that the function read, except those for the
// cluster.
func withoutInputs(items, extra []*yaml.RNode) []*yaml.RNode {
	read := make(map[*yaml.RNode]bool, len(extra))
	for _, item := range extra {
		read[item] = true
	}
	return slices.DeleteFunc(items, func(item *yaml.RNode) bool { return read[item] && !output.KeepForCluster(item) })
}

// withoutConfig omits the configuration that kustomize passes to a generator as its
// only item: otherwise it would stay among the resources. Under kpt the same item has a
// path and is the user's file, so omitting it would delete the file.
func withoutConfig(items []*yaml.RNode, config *yaml.RNode) []*yaml.RNode {
	if config.IsNilOrEmpty() {
		return items
	}
	var out []*yaml.RNode
	for _, item := range items {
		file, _ := object.Place(item)
		if file == "" && !object.IsFromKpt(item) && object.Ref(item) == object.Ref(config) {
			continue
		}
		out = append(out, item)
	}
	return out
}

// withoutLines removes the line numbers from findings: in a ResourceList they refer to
// the stream, not to the user's file.
func withoutLines(list finding.List) finding.List {
	for i := range list {
		list[i].Line = 0
	}
	return list
}

// listedInHost returns a function that reports the configurations of other functions among
// the items, and how bad another one without an effect is. A function of kpt sees those of
// the whole package, and the Kptfile names them. kustomize shows a function no list.
func listedInHost(items []*yaml.RNode) (func(object.Object) bool, finding.Severity) {
	listed := configPaths(items)
	if listed == nil {
		return notListed, finding.Info
	}
	return func(o object.Object) bool {
		file, _ := object.Place(o.Item)
		return listed[path.Join(object.PackageOf(o.Item), file)]
	}, finding.Warning
}

// configPaths returns the files that the Kptfiles among the items name as configurations of
// functions; nil if there is no Kptfile.
func configPaths(items []*yaml.RNode) map[string]bool {
	var out map[string]bool
	for _, item := range items {
		if item.GetKind() != "Kptfile" {
			continue
		}
		if out == nil {
			out = map[string]bool{}
		}
		for _, field := range []string{"mutators", "validators"} {
			list := object.NodeAt(item, "pipeline", field)
			if list == nil {
				continue
			}
			for _, function := range list.Content {
				if file := object.TextAt(yaml.NewRNode(function), "configPath"); file != "" {
					out[path.Join(object.PackageOf(item), file)] = true
				}
			}
		}
	}
	return out
}
