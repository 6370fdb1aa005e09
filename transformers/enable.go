package transformers

import (
	"strings"

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
		before, has := annotation(entry, hyperconverged.EnableAnnotation)
		_, marked := annotation(entry, hyperconverged.DisabledAnnotation)
		yamlnode.SetString(notes, hyperconverged.EnableAnnotation, "false", yaml.DoubleQuotedStyle)
		yamlnode.SetString(notes, hyperconverged.DisabledAnnotation, d.Because, 0)
		if has && !(marked && strings.EqualFold(before, "false")) {
			yamlnode.SetString(notes, hyperconverged.EnableBefore, before, yaml.DoubleQuotedStyle)
		}
	case Enable:
		enableAgain(entry)
	case Leave, Remove:
	}
}

// enableAgain takes out of a template what goldenarch wrote to disable it, and puts the value
// there that a person gave the annotation before. An "enable" that a person changed since stays.
func enableAgain(entry *yaml.Node) {
	if value, _ := annotation(entry, hyperconverged.EnableAnnotation); strings.EqualFold(value, "false") {
		if before, has := annotation(entry, hyperconverged.EnableBefore); has {
			yamlnode.SetString(annotations(entry), hyperconverged.EnableAnnotation, before, yaml.DoubleQuotedStyle)
		} else {
			removeAnnotations(entry, hyperconverged.EnableAnnotation)
		}
	}
	removeAnnotations(entry, hyperconverged.DisabledAnnotation, hyperconverged.EnableBefore)
}
