package transformers

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// writeDefaults adds to a template what HCO's mutating webhook would add, so
// that Git and the live CR do not differ (hco hyperConvergedMutator.go:
// getDICTPatches). A disabled template gets it as well.
func writeDefaults(entry *yaml.Node, d Defaults) {
	if d.Bind {
		setDefault(annotations(entry), hyperconverged.BindAnnotation, "true")
	}
	spec := yamlnode.Get(entry, "spec")
	if !d.Retention || spec == nil {
		return
	}
	if yamlnode.Get(spec, "retentionPolicy") == nil {
		yamlnode.Put(spec, "retentionPolicy", yamlnode.NewScalar("None", yaml.NodeTagString, 0))
	}
	if yamlnode.Get(spec, "importsToKeep") == nil {
		yamlnode.Put(spec, "importsToKeep", yamlnode.NewScalar("1", yaml.NodeTagInt, 0))
	}
}

// setDefault sets an annotation that is not there.
func setDefault(notes *yaml.Node, key, value string) {
	if yamlnode.Get(notes, key) == nil {
		yamlnode.SetString(notes, key, value, yaml.DoubleQuotedStyle)
	}
}
