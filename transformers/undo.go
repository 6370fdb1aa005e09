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
	gate = isGateOn(root, paths)
	for _, record := range gateRecords {
		did, known := undoGate(cr, paths, record)
		changed = changed || did
		gate = gate && !known
	}
	return changed, gate, nil
}

// gateRecord is an annotation that records the former gate of a gate that goldenarch turned
// on or off, unless it was unset.
type gateRecord struct {
	key, opposite string
	on            bool
}

var gateRecords = []gateRecord{
	{key: hyperconverged.GateRecord, opposite: hyperconverged.GateWasOn},
	{key: hyperconverged.EnableRecord, opposite: hyperconverged.GateWasOff, on: true},
}

// undoGate restores the gate that a record has, and removes the record. known says that the
// CR has it. A gate that a person changed since stays.
func undoGate(cr *yaml.RNode, paths hyperconverged.Paths, record gateRecord) (changed, known bool) {
	root := cr.YNode()
	value := yamlnode.Text(root, "metadata", "annotations", record.key)
	if value != hyperconverged.GateWasUnset && value != record.opposite {
		return false, false // goldenarch writes no such record
	}
	switch {
	case isGateOn(root, paths) != record.on:
	case value == record.opposite:
		switchGate(root, paths, !record.on)
	default:
		unsetGate(root, []string{"spec", "workloadSources"}, paths.FeatureGates)
	}
	setGateRecord(cr, record.key, "")
	return true, true
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

// switchGate turns the gate on or off where the CR has it.
func switchGate(root *yaml.Node, paths hyperconverged.Paths, on bool) {
	for _, path := range [][]string{{"spec", "workloadSources"}, paths.FeatureGates} {
		holder := yamlnode.Lookup(root, path)
		if yamlnode.Field(holder, gateName) >= 0 {
			yamlnode.SetBool(holder, gateName, on)
		} else if holder != nil && holder.Kind == yaml.SequenceNode {
			setFeatureGate(root, path, on)
		}
	}
}

// undoTemplate takes out of a template what earlier runs wrote. remove says that they wrote
// the whole entry.
func undoTemplate(entry *yaml.Node) (changed, remove bool) {
	text := func(key string) string {
		value, _ := annotation(entry, key)
		return value
	}
	changed = undoClaim(entry)
	if text(hyperconverged.DisabledAnnotation) != "" {
		if !strings.EqualFold(text(hyperconverged.EnableAnnotation), "false") {
			enableAgain(entry) // a person enabled it, and that stays
			return true, false
		}
		if _, had := annotation(entry, hyperconverged.EnableBefore); yamlnode.Get(entry, "spec") == nil && !had {
			return true, true
		}
		enableAgain(entry)
		changed = true
	}
	return changed, false
}

// undoClaim takes out the declared architectures that goldenarch wrote, and puts those in their
// place that a person had written. It leaves a value that somebody changed since.
func undoClaim(entry *yaml.Node) (changed bool) {
	current, _ := annotation(entry, hyperconverged.ClaimAnnotation)
	written, _ := annotation(entry, hyperconverged.WrittenAnnotation)
	_, recorded := annotation(entry, hyperconverged.ClaimRecord)
	if written == "" && !recorded {
		return false
	}
	if record, is := claimRecordOf(entry); is {
		yamlnode.SetString(annotations(entry), hyperconverged.ClaimAnnotation, record.before, 0)
	} else if written != "" && current == written {
		removeAnnotations(entry, hyperconverged.ClaimAnnotation)
	}
	removeAnnotations(entry, hyperconverged.WrittenAnnotation, hyperconverged.ClaimRecord)
	return true
}
