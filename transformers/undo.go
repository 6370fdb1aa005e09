package transformers

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Undo takes out of a CR what earlier runs wrote, as their annotations record it, and the
// annotations. It reports whether it changed something, and whether a gate is on of which
// nothing says who turned it on. What a person changed since stays. The version is that of
// the CR's API: "v1" or "v1beta1".
func Undo(cr *yaml.RNode, version string) (changed, gate bool, err error) {
	known, err := hyperconverged.ParseVersion(hyperconverged.Group + "/" + version)
	if err != nil {
		return false, false, fmt.Errorf("undo the edits of the CR: %w", err)
	}
	paths, root := known.Paths(), cr.YNode()
	changed = undoTemplates(cr, paths)
	record := yamlnode.Get(yamlnode.Lookup(root, []string{"metadata", "annotations"}), hyperconverged.GateRecord)
	switch {
	case record == nil:
		return changed, isGateOn(root, paths), nil
	case isGateOn(root, paths): // a person turned it on since
	case record.Value == hyperconverged.GateWasUnset:
		unsetGate(root, []string{"spec", "workloadSources"}, paths.FeatureGates)
	case record.Value == hyperconverged.GateWasOn:
		turnGateOn(root, paths)
	default:
		return changed, false, nil // goldenarch writes no such record
	}
	setGateRecord(cr, "")
	return true, false, nil
}

// undoTemplates takes out of the templates what earlier runs wrote.
func undoTemplates(cr *yaml.RNode, paths hyperconverged.Paths) (changed bool) {
	list := yamlnode.Lookup(cr.YNode(), paths.Templates)
	if list == nil {
		return false
	}
	var removed []int
	for i, entry := range list.Content {
		did, remove := undoTemplate(entry)
		changed = changed || did
		if remove {
			removed = append(removed, i)
		}
	}
	removeEntries(cr, paths.Templates, removed)
	return changed
}

// isGateOn reports whether the CR turns on the gate, in the form of any release.
func isGateOn(root *yaml.Node, paths hyperconverged.Paths) bool {
	for _, holder := range []*yaml.Node{yamlnode.Lookup(root, []string{"spec", "workloadSources"}), yamlnode.Lookup(root, paths.FeatureGates)} {
		if value := yamlnode.Get(holder, gateName); value != nil && value.Value == "true" {
			return true
		}
		if holder == nil || holder.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range holder.Content {
			if state := yamlnode.Get(entry, "state"); isGate(entry) && (state == nil || state.Value == "Enabled") {
				return true
			}
		}
	}
	return false
}

// turnGateOn turns on the gate where the CR has it as off.
func turnGateOn(root *yaml.Node, paths hyperconverged.Paths) {
	for _, path := range [][]string{{"spec", "workloadSources"}, paths.FeatureGates} {
		holder := yamlnode.Lookup(root, path)
		if yamlnode.Field(holder, gateName) >= 0 {
			yamlnode.SetBool(holder, gateName, true)
		} else if holder != nil && holder.Kind == yaml.SequenceNode {
			setFeatureGate(root, path, true)
		}
	}
}

// undoTemplate takes out of a template what earlier runs wrote. remove says that they wrote
// the whole entry.
func undoTemplate(entry *yaml.Node) (changed, remove bool) {
	notes := yamlnode.Get(yamlnode.Get(entry, "metadata"), "annotations")
	text := func(key string) string {
		if value := yamlnode.Get(notes, key); value != nil {
			return value.Value
		}
		return ""
	}
	if written := text(hyperconverged.WrittenAnnotation); written != "" {
		keys := []string{hyperconverged.WrittenAnnotation}
		if text(hyperconverged.ClaimAnnotation) == written {
			keys = append(keys, hyperconverged.ClaimAnnotation)
		}
		removeAnnotations(entry, keys...)
		changed = true
	}
	if text(hyperconverged.DisabledAnnotation) != "" {
		if !strings.EqualFold(text(hyperconverged.EnableAnnotation), "false") {
			removeAnnotations(entry, hyperconverged.DisabledAnnotation) // a person enabled it
			return true, false
		}
		if yamlnode.Get(entry, "spec") == nil {
			return true, true
		}
		removeAnnotations(entry, hyperconverged.EnableAnnotation, hyperconverged.DisabledAnnotation)
		changed = true
	}
	return changed, false
}
