package transformers

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/yamlnode"
)

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
	if c.Switch == Remove {
		removeEntries(cr, path, []int{c.Index})
		return nil
	}
	entry, err := entryFor(cr, path, Template{Index: c.Index, Name: c.Name})
	if err != nil {
		return err
	}
	switch c.Switch {
	case Disable:
		yamlnode.SetString(annotations(entry), hyperconverged.EnableAnnotation, "false", yaml.DoubleQuotedStyle)
		removeAnnotations(entry, hyperconverged.DisabledAnnotation, hyperconverged.EnableBefore)
	case Enable:
		removeAnnotations(entry, hyperconverged.EnableAnnotation, hyperconverged.DisabledAnnotation, hyperconverged.EnableBefore)
	case Leave, Remove:
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
