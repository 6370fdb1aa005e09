package transformers

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

// Apply makes edits in the CR that they were computed for. The CR must have no YAML
// aliases: an edit below an alias would change every place that uses the anchor. Apply
// changes the CR in place and may leave it half changed after an error, so callers work
// on a copy.
//
// The version is that of the CR's API: "v1" or "v1beta1".
func Apply(cr *yaml.RNode, version string, p Edits) error {
	known, err := hyperconverged.ParseVersion(hyperconverged.Group + "/" + version)
	if err != nil {
		return fmt.Errorf("write the CR: %w", err)
	}
	paths := known.Paths()
	spec := specRecordOf(cr.YNode())
	if err := applyTemplates(cr, paths.Templates, p); err != nil {
		return err
	}
	if p.Gate != nil {
		setGate(cr, paths, *p.Gate)
	}
	setGateRecords(cr, map[string]*string{hyperconverged.GateRecord: p.GateRecord, hyperconverged.EnableRecord: p.EnableRecord}, spec)
	if p.SingleArchitecture != "" {
		restrictPlacement(cr, paths.Workloads, arch.Arch(p.SingleArchitecture))
	}
	removeServerFields(cr, p.ServerFields)
	return nil
}

func removeServerFields(cr *yaml.RNode, fields []string) {
	for _, field := range fields {
		parent, name := cr.YNode(), field
		if below, ok := strings.CutPrefix(field, "metadata."); ok {
			parent, name = yamlnode.Lookup(parent, []string{"metadata"}), below
		}
		if parent != nil {
			yamlnode.Remove(parent, name)
		}
	}
}

// applyTemplates edits, adds and removes entries of the CR's list, and adds the
// defaults to all remaining ones.
func applyTemplates(cr *yaml.RNode, path hyperconverged.Path, p Edits) error {
	var removed []int
	for _, decision := range p.Templates {
		entry, err := entryFor(cr, path, decision)
		if err != nil {
			return err
		}
		if decision.Switch == Remove {
			removed = append(removed, decision.Index)
			continue
		}
		writeClaim(entry, decision.Claim)
		writeSwitch(entry, decision)
	}
	removeEntries(cr, path, removed)
	if list := yamlnode.Lookup(cr.YNode(), path); list != nil {
		for _, entry := range list.Content {
			writeDefaults(entry, p.Defaults)
		}
	}
	return nil
}

// entryFor returns the entry of the CR's list that an edit is for. For a template that
// is not in the list, it adds an entry at the end.
func entryFor(cr *yaml.RNode, path hyperconverged.Path, d Template) (*yaml.Node, error) {
	if d.Index < 0 {
		list := yamlnode.Sequence(yamlnode.Mapping(cr.YNode(), path[:len(path)-1]...), path[len(path)-1])
		entry := yamlnode.NewMapping()
		yamlnode.SetString(yamlnode.Mapping(entry, "metadata"), "name", d.Name, 0)
		list.Content = append(list.Content, entry)
		return entry, nil
	}
	list := yamlnode.Lookup(cr.YNode(), path)
	if list == nil || d.Index >= len(list.Content) {
		return nil, fmt.Errorf("the CR has no %s: the plan was made for another CR", path.At(d.Index))
	}
	return list.Content[d.Index], nil
}

// removeEntries removes entries from the list, and the list if it is then empty.
func removeEntries(cr *yaml.RNode, path hyperconverged.Path, indexes []int) {
	if len(indexes) == 0 {
		return
	}
	list := yamlnode.Lookup(cr.YNode(), path)
	slices.Sort(indexes)
	for _, i := range slices.Backward(indexes) {
		list.Content = slices.Delete(list.Content, i, i+1)
	}
	removeEmpty(cr.YNode(), path)
}

// Edits is what to write into a CR.
type Edits struct {
	// Templates has an edit for each template to change.
	Templates []Template
	// Gate says how to write the multi-arch gate. nil leaves it unchanged.
	Gate *Gate
	// GateRecord is the former gate to record on a CR whose gate goldenarch turns off. nil
	// leaves the record unchanged, "" removes it.
	GateRecord *string
	// EnableRecord is the same for a gate that goldenarch turns on.
	EnableRecord *string
	// SingleArchitecture restricts the workload placement. "" leaves it unchanged.
	SingleArchitecture string
	// Defaults says which of the webhook's defaults to write.
	Defaults Defaults
	// ServerFields are the fields to remove because only a cluster sets them: "status", or
	// the name of a field below "metadata.".
	ServerFields []string
}

// Template is what to write into one template.
type Template struct {
	// Index is the place in the CR's list; -1 adds an entry at its end.
	Index int
	// Name is the name of an entry that is added.
	Name string
	// [Claim] is the declared architectures to write. nil leaves them and
	// goldenarch.dev/claim unchanged.
	Claim *Claim
	// Switch says how to change the enable annotation.
	Switch Switch
	// Because is the reason that goldenarch records on a template that it disables.
	Because string
}

// Claim has the declared architectures to write.
type Claim struct {
	// Value is the new text; "" removes the annotation.
	Value string
	// Written says whether goldenarch computed the value, and computes it again in the
	// next run. A value that only corrects the form of what a user wrote gets no
	// goldenarch.dev/claim, because the next run would widen it.
	Written bool
}

// Switch says how to change a template's enable annotation.
type Switch string

// Leave changes nothing. Disable switches the template off and records the reason.
// Enable reverts what Disable did. Remove removes the whole entry, if goldenarch added
// it only to disable a predefined template.
const (
	Leave   Switch = ""
	Disable Switch = "disable"
	Enable  Switch = "enable"
	Remove  Switch = "remove"
)

// Defaults says what HCO's mutating webhook would add to each template (hco
// hyperConvergedMutator.go: getDICTPatches).
type Defaults struct {
	Bind      bool // the immediate-bind annotation
	Retention bool // retentionPolicy None and importsToKeep 1, from 1.18 on
}

// Gate is how to write the multi-arch gate.
type Gate struct {
	On bool
	// Place is where the CR's API version and the release keep it.
	Place GatePlace
}

// GatePlace is a place where a CR can have the gate.
type GatePlace string

// The places (hco api/v1/hyperconverged_types.go, api/v1beta1).
const (
	GateField   GatePlace = "v1 field"                  // spec.workloadSources.enableMultiArchBootImageImport, from 1.19
	GateList    GatePlace = "v1 list of feature gates"  // spec.featureGates, in 1.18
	GateV1beta1 GatePlace = "v1beta1 feature gate bool" // spec.featureGates.enableMultiArchBootImageImport
	GateNowhere GatePlace = "nowhere"                   // removed from every place
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
	none, undone := "", map[string]*string{}
	for _, record := range gateRecords {
		if undoGate(root, paths, record) {
			undone[record.key] = &none
		}
	}
	setGateRecords(cr, undone, "")
	return changed || len(undone) > 0, gate && len(undone) == 0, nil
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

// undoGate restores the gate that a record has, and reports whether the CR has the record. A gate
// that a person changed since stays.
func undoGate(root *yaml.Node, paths hyperconverged.Paths, record gateRecord) bool {
	value := yamlnode.Text(root, "metadata", "annotations", record.key)
	if value != hyperconverged.GateWasUnset && value != record.opposite {
		return false // goldenarch writes no such record
	}
	switch {
	case isGateOn(root, paths) != record.on:
	case value == record.opposite:
		switchGate(root, paths, !record.on)
	default:
		unsetGate(root, paths.FeatureGates)
	}
	return true
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
	for _, holder := range []*yaml.Node{yamlnode.Lookup(root, workloadSources), yamlnode.Lookup(root, paths.FeatureGates)} {
		if value := yamlnode.Get(holder, gateName); value != nil && strings.EqualFold(value.Value, "true") {
			return true
		}
		if holder == nil || holder.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range holder.Content {
			if state := yamlnode.Get(entry, "state"); isGate(entry) && (state == nil || state.Value == hyperconverged.StateOf(true)) {
				return true
			}
		}
	}
	return false
}

// switchGate turns the gate on or off where the CR has it.
func switchGate(root *yaml.Node, paths hyperconverged.Paths, on bool) {
	for _, path := range []hyperconverged.Path{workloadSources, paths.FeatureGates} {
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
	changed = undoClaim(entry)
	if because, _ := annotation(entry, hyperconverged.DisabledAnnotation); because == "" {
		return changed, false
	}
	enable, _ := annotation(entry, hyperconverged.EnableAnnotation)
	_, had := annotation(entry, hyperconverged.EnableBefore)
	if strings.EqualFold(enable, "false") && yamlnode.Get(entry, "spec") == nil && !had {
		return true, true
	}
	enableAgain(entry)
	return true, false
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
