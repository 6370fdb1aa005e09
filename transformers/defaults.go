package transformers

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// writeDefaults adds to a template what HCO's mutating webhook would add, so
// that Git and the live CR do not differ (hco hyperConvergedMutator.go:
// getDICTPatches). A disabled template gets it as well.
func writeDefaults(entry *yaml.Node, d Defaults) {
	if d.Bind {
		setDefault(annotations(entry), hyperconverged.BindAnnotation, "true")
	}
	spec := get(entry, "spec")
	if !d.Retention || spec == nil {
		return
	}
	if get(spec, "retentionPolicy") == nil {
		put(spec, "retentionPolicy", newScalar("None", yaml.NodeTagString, 0))
	}
	if get(spec, "importsToKeep") == nil {
		put(spec, "importsToKeep", newScalar("1", yaml.NodeTagInt, 0))
	}
}

// setDefault sets an annotation that is not there.
func setDefault(notes *yaml.Node, key, value string) {
	if get(notes, key) == nil {
		setString(notes, key, value, yaml.DoubleQuotedStyle)
	}
}
