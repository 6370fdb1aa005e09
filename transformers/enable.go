package transformers

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

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
		removeAnnotations(entry, hyperconverged.EnableAnnotation, hyperconverged.DisabledAnnotation)
	case Leave, Remove:
	}
}
