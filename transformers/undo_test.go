package transformers

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestUndoReadsTheGateAsYAML: True and TRUE are true, too.
func TestUndoReadsTheGateAsYAML(t *testing.T) {
	t.Parallel()
	const name = "enableMultiArchBootImageImport: "
	for word, want := range map[string]bool{"true": true, "True": true, "TRUE": true, "false": false, "False": false} {
		for version, field := range map[string]string{"v1": "workloadSources", "v1beta1": "featureGates"} {
			_, on, err := Undo(yaml.MustParse(lines("spec:", "  "+field+":", "    "+name+word)), version)
			if err != nil || on != want {
				t.Errorf("%s of %s: want a gate that is on: %v, got %v, %v", word, version, want, on, err)
			}
			cr := yaml.MustParse(lines("metadata:", "  annotations:", "    goldenarch.dev/gate-before-enable: unset", "spec:", "  "+field+":", "    "+name+word))
			changed, _, err := Undo(cr, version)
			if err != nil || !changed || strings.Contains(cr.MustString(), name) != !want {
				t.Errorf("%s of %s: only a gate that is on goes with its record: %v, %v\n%s", word, version, changed, err, cr.MustString())
			}
		}
	}
}
