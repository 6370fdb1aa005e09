package transformers

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
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
	if err := applyTemplates(cr, paths.Templates, p); err != nil {
		return err
	}
	if p.Gate != nil {
		setGate(cr, paths, *p.Gate)
	}
	if p.SingleArchitecture != "" {
		restrictPlacement(cr, paths.Workloads, arch.Arch(p.SingleArchitecture))
	}
	removeServerFields(cr, p.ServerFields)
	if p.DropRetired {
		dropRetired(cr, paths.Templates)
	}
	return nil
}

func removeServerFields(cr *yaml.RNode, fields []string) {
	for _, field := range fields {
		parent, name := cr.YNode(), field
		if below, ok := strings.CutPrefix(field, "metadata."); ok {
			parent, name = yamlnode.Get(parent, "metadata"), below
		}
		if parent != nil {
			yamlnode.Remove(parent, name)
		}
	}
}

// dropRetired removes the annotations that earlier versions wrote and nothing reads.
func dropRetired(cr *yaml.RNode, templates hyperconverged.Path) {
	removeNotes(yamlnode.Get(cr.YNode(), "metadata"), hyperconverged.RetiredAnnotations...)
	if list := yamlnode.Get(cr.YNode(), templates...); list != nil {
		for _, entry := range list.Content {
			removeAnnotations(entry, hyperconverged.RetiredAnnotations...)
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
	for _, entry := range yamlnode.Elements(cr.YNode(), path...) {
		writeDefaults(entry, p.Defaults)
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
	list := yamlnode.Get(cr.YNode(), path...)
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
	list := yamlnode.Get(cr.YNode(), path...)
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
	// SingleArchitecture restricts the workload placement. "" leaves it unchanged.
	SingleArchitecture string
	// Defaults says which of the webhook's defaults to write.
	Defaults Defaults
	// ServerFields are the fields to remove because only a cluster sets them: "status", or
	// the name of a field below "metadata.".
	ServerFields []string
	// DropRetired removes the annotations of [hyperconverged.RetiredAnnotations] from the CR
	// and its templates.
	DropRetired bool
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
