package transformers

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

const gateName = hyperconverged.GateName

// workloadSources is where the v1 API has the gate from HCO 1.19 on.
var workloadSources = hyperconverged.V1.GatePath()[:2]

// setGate writes the gate to its place, and removes it from the other place that the
// API version has. HCO's webhook would otherwise find two contradicting values.
func setGate(cr *yaml.RNode, paths hyperconverged.Paths, gate Gate) {
	root := cr.YNode()
	switch gate.Place {
	case GateV1beta1:
		yamlnode.SetBool(yamlnode.Mapping(root, paths.FeatureGates...), gateName, gate.On)
	case GateField:
		yamlnode.SetBool(yamlnode.Mapping(root, workloadSources...), gateName, gate.On)
		dropFeatureGate(root, paths.FeatureGates)
	case GateList:
		setFeatureGate(root, paths.FeatureGates, gate.On)
		yamlnode.Remove(yamlnode.Get(root, workloadSources...), gateName)
	case GateNowhere:
		unsetGate(root, paths.FeatureGates)
	}
}

// unsetGate removes the gate from each place of both API versions. It also removes the
// enclosing field if that is then empty.
func unsetGate(root *yaml.Node, featureGates hyperconverged.Path) {
	for _, path := range []hyperconverged.Path{workloadSources, featureGates} {
		holder := yamlnode.Get(root, path...)
		if holder == nil {
			continue
		}
		if slices.ContainsFunc(holder.Content, isGate) {
			dropFeatureGate(root, path)
			continue
		}
		if yamlnode.Field(holder, gateName) < 0 {
			continue
		}
		yamlnode.Remove(holder, gateName)
		removeEmpty(root, path)
	}
}

// removeEmpty removes the field at a path if it is empty.
func removeEmpty(root *yaml.Node, path hyperconverged.Path) {
	if len(yamlnode.Get(root, path...).Content) == 0 {
		yamlnode.Remove(yamlnode.Get(root, path[:len(path)-1]...), path[len(path)-1])
	}
}

// setFeatureGate writes the entry of the v1 list. HCO 1.18 compares its name
// case-sensitively.
func setFeatureGate(root *yaml.Node, path hyperconverged.Path, on bool) {
	list := yamlnode.Sequence(yamlnode.Mapping(root, path[:len(path)-1]...), path[len(path)-1])
	i := slices.IndexFunc(list.Content, isGate)
	if i < 0 {
		list.Content = append(list.Content, yamlnode.NewMapping())
		i = len(list.Content) - 1
	}
	yamlnode.SetString(list.Content[i], "name", gateName, 0)
	yamlnode.SetString(list.Content[i], "state", hyperconverged.StateOf(on), 0)
}

// dropFeatureGate removes the entry from the v1 list, and the list if it is then empty.
func dropFeatureGate(root *yaml.Node, path hyperconverged.Path) {
	list := yamlnode.Get(root, path...)
	if list == nil {
		return
	}
	list.Content = slices.DeleteFunc(list.Content, isGate)
	removeEmpty(root, path)
}

func isGate(entry *yaml.Node) bool {
	name := yamlnode.Get(entry, "name")
	return name != nil && strings.EqualFold(name.Value, gateName)
}
