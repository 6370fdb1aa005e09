package transformers

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

const gateName = hyperconverged.GateName

// setGate writes the gate to its place, and takes it away from the other one
// that the API version has: HCO's webhook would let them fight.
func setGate(cr *yaml.RNode, paths hyperconverged.Paths, gate Gate) {
	root := cr.YNode()
	sources := []string{"spec", "workloadSources"}
	switch gate.Place {
	case GateV1beta1:
		setBool(mapping(root, paths.FeatureGates...), gateName, gate.On)
	case GateField:
		setBool(mapping(root, sources...), gateName, gate.On)
		dropFeatureGate(root, paths.FeatureGates)
	case GateList:
		setFeatureGate(root, paths.FeatureGates, gate.On)
		remove(lookup(root, sources), gateName)
	case GateNowhere:
		unsetGate(root, sources, paths.FeatureGates)
	}
}

// unsetGate takes the gate out of each place of both API versions, and the field
// that holds it if nothing else is in there.
func unsetGate(root *yaml.Node, sources []string, featureGates hyperconverged.Path) {
	for _, path := range [][]string{sources, featureGates} {
		holder := lookup(root, path)
		if holder == nil {
			continue
		}
		if slices.ContainsFunc(holder.Content, isGate) {
			dropFeatureGate(root, path)
			continue
		}
		if field(holder, gateName) < 0 {
			continue
		}
		remove(holder, gateName)
		if len(holder.Content) == 0 {
			remove(lookup(root, path[:len(path)-1]), path[len(path)-1])
		}
	}
}

// setGateRecord writes what the gate was before goldenarch turned it off, or
// removes that.
func setGateRecord(cr *yaml.RNode, value string) {
	root := cr.YNode()
	if value != "" {
		setString(mapping(root, "metadata", "annotations"), hyperconverged.GateRecord, value, 0)
		return
	}
	metadata := lookup(root, []string{"metadata"})
	annotations := get(metadata, "annotations")
	remove(annotations, hyperconverged.GateRecord)
	if annotations != nil && len(annotations.Content) == 0 {
		remove(metadata, "annotations")
	}
}

// setFeatureGate writes the entry of the v1 list. HCO 1.18 compares its name
// with case.
func setFeatureGate(root *yaml.Node, path hyperconverged.Path, on bool) {
	list := sequence(mapping(root, path[:len(path)-1]...), path[len(path)-1])
	i := slices.IndexFunc(list.Content, isGate)
	if i < 0 {
		list.Content = append(list.Content, newMapping())
		i = len(list.Content) - 1
	}
	state := "Disabled"
	if on {
		state = "Enabled"
	}
	setString(list.Content[i], "name", gateName, 0)
	setString(list.Content[i], "state", state, 0)
}

// dropFeatureGate takes the entry out of the v1 list, and the list if it is
// empty then.
func dropFeatureGate(root *yaml.Node, path hyperconverged.Path) {
	list := lookup(root, path)
	if list == nil {
		return
	}
	list.Content = slices.DeleteFunc(list.Content, isGate)
	if len(list.Content) == 0 {
		remove(lookup(root, path[:len(path)-1]), path[len(path)-1])
	}
}

func isGate(entry *yaml.Node) bool {
	name := get(entry, "name")
	return name != nil && strings.EqualFold(name.Value, gateName)
}
