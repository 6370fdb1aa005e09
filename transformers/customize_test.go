package transformers

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestCustomizeOfAnotherCR: an entry that the CR does not have is an error, as in Apply.
func TestCustomizeOfAnotherCR(t *testing.T) {
	t.Parallel()
	for _, change := range []Switch{Leave, Disable, Enable, Remove} {
		for _, text := range []string{"spec: {}\n", template()} {
			if err := Customize(yaml.MustParse(text), "v1", Customization{Index: 7, Switch: change}); err == nil {
				t.Errorf("switch %q: want an error", change)
			}
		}
	}
}
