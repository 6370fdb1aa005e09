package transformers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// writeClaim writes the declared architectures of a template. If goldenarch computed
// them, it also writes goldenarch.dev/claim with the same value. If a user wrote them,
// it removes that annotation.
func writeClaim(entry *yaml.Node, claim *Claim) {
	if claim == nil {
		return
	}
	if claim.Value == "" {
		removeAnnotations(entry, hyperconverged.ClaimAnnotation, hyperconverged.WrittenAnnotation)
		return
	}
	notes := annotations(entry)
	yamlnode.SetString(notes, hyperconverged.ClaimAnnotation, claim.Value, 0)
	if claim.Written {
		yamlnode.SetString(notes, hyperconverged.WrittenAnnotation, claim.Value, 0)
	} else {
		yamlnode.Remove(notes, hyperconverged.WrittenAnnotation)
	}
}

// annotation returns the value of an annotation, and whether the template has it.
func annotation(entry *yaml.Node, key string) (string, bool) {
	value := yamlnode.Get(entry, "metadata", "annotations", key)
	if value == nil {
		return "", false
	}
	return value.Value, true
}

func annotations(entry *yaml.Node) *yaml.Node {
	return yamlnode.Mapping(entry, "metadata", "annotations")
}

// removeAnnotations removes annotations of an entry, and the map if it is then empty.
func removeAnnotations(entry *yaml.Node, keys ...string) {
	removeNotes(yamlnode.Get(entry, "metadata"), keys...)
}

// removeNotes removes annotations from metadata, and the map if that makes it empty.
func removeNotes(metadata *yaml.Node, keys ...string) {
	notes := yamlnode.Get(metadata, "annotations")
	if notes == nil || len(notes.Content) == 0 {
		return // empty as a person wrote it
	}
	for _, key := range keys {
		yamlnode.Remove(notes, key)
	}
	if len(notes.Content) == 0 {
		yamlnode.Remove(metadata, "annotations")
	}
}

// writeSwitch disables a template and records goldenarch's reason, or reverts that.
func writeSwitch(entry *yaml.Node, d Template) {
	switch d.Switch {
	case Disable:
		notes := annotations(entry)
		if yamlnode.Get(entry, "spec") == nil {
			// HCO's webhook adds it to every entry. goldenarch writes it into an entry
			// that it creates, so that Git and the live CR agree.
			setDefault(notes, hyperconverged.BindAnnotation, "true")
		}
		yamlnode.SetString(notes, hyperconverged.EnableAnnotation, "false", yaml.DoubleQuotedStyle)
		yamlnode.SetString(notes, hyperconverged.DisabledAnnotation, d.Because, 0)
	case Enable:
		enableAgain(entry)
	case Leave, Remove:
	}
}

// enableAgain takes out of a template what goldenarch wrote to disable it. An "enable" that a
// person changed since stays.
func enableAgain(entry *yaml.Node) {
	if value, _ := annotation(entry, hyperconverged.EnableAnnotation); strings.EqualFold(value, "false") {
		removeAnnotations(entry, hyperconverged.EnableAnnotation)
	}
	removeAnnotations(entry, hyperconverged.DisabledAnnotation)
}

// writeDefaults adds to a template what HCO's mutating webhook would add, so that Git
// and the live CR do not differ (hco hyperConvergedMutator.go: getDICTPatches).
// Disabled templates get the defaults as well. HCO then writes the CR back through its
// Go types. There, the metadata and the status of a DataVolume are structs that Go
// never leaves out (cdi types.go: DataVolume).
func writeDefaults(entry *yaml.Node, d Defaults) {
	if d.Bind {
		setDefault(annotations(entry), hyperconverged.BindAnnotation, "true")
	}
	spec := yamlnode.Get(entry, "spec")
	if spec == nil {
		return
	}
	if volume := yamlnode.Get(spec, "template"); d.Bind && isMapping(volume) {
		for _, field := range []string{"metadata", "status"} {
			if yamlnode.Get(volume, field) == nil {
				yamlnode.Put(volume, field, emptyMapping())
			}
		}
	}
	if !d.Retention {
		return
	}
	if yamlnode.Get(spec, "retentionPolicy") == nil {
		yamlnode.Put(spec, "retentionPolicy", yamlnode.NewScalar("None", yaml.NodeTagString, 0))
	}
	if yamlnode.Get(spec, "importsToKeep") == nil {
		yamlnode.Put(spec, "importsToKeep", yamlnode.NewScalar("1", yaml.NodeTagInt, 0))
	}
}

func isMapping(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

// emptyMapping returns a mapping that is written as {}.
func emptyMapping() *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: yaml.FlowStyle}
}

// setDefault sets an annotation if it is missing.
func setDefault(notes *yaml.Node, key, value string) {
	if yamlnode.Get(notes, key) == nil {
		yamlnode.SetString(notes, key, value, yaml.DoubleQuotedStyle)
	}
}

// Customization is what a person wants of one template of the CR.
type Customization struct {
	// Index is the place in the CR's list; -1 adds an entry at its end.
	Index int
	// Name is the name of an entry that is added.
	Name string
	// Annotations and Spec are those of the predefined template. They go into an entry
	// without a spec.
	Annotations map[string]string
	Spec        *yaml.Node
	// Image is the new url of the registry source; "" leaves the source.
	Image string
	// Switch is Disable, Enable, Remove or Leave. What goldenarch recorded about a
	// template that it disabled goes: from now on, a person decides.
	Switch Switch
}

// Empty reports whether there is nothing to write.
func (c Customization) Empty() bool { return c.Image == "" && c.Spec == nil && c.Switch == Leave }

// Customize writes what a person wants of a template into the CR, in place, as [Apply]
// writes decisions.
func Customize(cr *yaml.RNode, version string, c Customization) error {
	known, err := hyperconverged.ParseVersion(hyperconverged.Group + "/" + version)
	if err != nil {
		return fmt.Errorf("write the CR: %w", err)
	}
	path := known.Paths().Templates
	entry, err := entryFor(cr, path, Template{Index: c.Index, Name: c.Name})
	if err != nil {
		return err
	}
	switch c.Switch {
	case Remove:
		removeEntries(cr, path, []int{c.Index})
		return nil
	case Disable:
		yamlnode.SetString(annotations(entry), hyperconverged.EnableAnnotation, "false", yaml.DoubleQuotedStyle)
		removeAnnotations(entry, hyperconverged.DisabledAnnotation)
	case Enable:
		removeAnnotations(entry, hyperconverged.EnableAnnotation, hyperconverged.DisabledAnnotation)
	case Leave:
	}
	if c.Spec != nil && yamlnode.Get(entry, "spec") == nil {
		for _, key := range slices.Sorted(maps.Keys(c.Annotations)) {
			setDefault(annotations(entry), key, c.Annotations[key])
		}
		yamlnode.Put(entry, "spec", yamlnode.Unplaced(c.Spec))
	}
	if c.Image != "" {
		setImage(entry, c.Image)
	}
	return nil
}

// setImage makes a registry the only source of a template. How CDI pulls from it, and
// with which credentials, stays as it is.
func setImage(entry *yaml.Node, url string) {
	source := yamlnode.Mapping(entry, "spec", "template", "spec", "source")
	registry := yamlnode.Mapping(source, "registry")
	yamlnode.RemoveFunc(source, func(key string) bool { return key != "registry" })
	yamlnode.Remove(registry, "imageStream")
	yamlnode.SetString(registry, "url", url, 0)
}
