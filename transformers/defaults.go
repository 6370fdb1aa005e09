package transformers

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

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
