package transformers

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
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
	if p.GateRecord != nil {
		setGateRecord(cr, hyperconverged.GateRecord, *p.GateRecord)
	}
	if p.EnableRecord != nil {
		setGateRecord(cr, hyperconverged.EnableRecord, *p.EnableRecord)
	}
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
	if len(list.Content) == 0 {
		yamlnode.Remove(yamlnode.Lookup(cr.YNode(), path[:len(path)-1]), path[len(path)-1])
	}
}
