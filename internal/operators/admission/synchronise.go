package admission

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// movedGate is a feature gate of the v1 list that has become a field.
type movedGate struct {
	name  string
	field []string // below spec
	// reverse says that the field is off if the gate is on.
	reverse bool
	// grows says that HCO creates missing parents of the field.
	grows bool
}

// movedGates has HCO's order (hco mutator/fg_to_fields.go).
var movedGates = []movedGate{
	{name: "disableMDevConfiguration", field: []string{"virtualization", "mediatedDevicesConfiguration", "enabled"}, reverse: true, grows: true},
	{name: "persistentReservation", field: []string{"storage", "persistentReservationConfiguration", "enabled"}, grows: true},
	{name: hyperconverged.GateName, field: []string{"workloadSources", hyperconverged.GateName}},
}

// synchronise sets the field of each feature gate that is in the list. HCO denies a CR in
// which both exist and differ (hco hyperConvergedMutator.go: mutateFieldAndFGOnCreate).
func (r request) synchronise(cr *hyperconverged.CR, made *change) {
	for _, moved := range movedGates {
		gate := findGate(cr.FeatureGates, moved.name)
		if gate == nil {
			continue
		}
		path := "spec." + strings.Join(moved.field, ".")
		want := gate.Enabled() != moved.reverse
		field, set := r.spec(moved.field...).(bool)
		if set && field != want {
			value := "equal to the field"
			if moved.reverse {
				value = "equal to the negative value of the field"
			}
			*made = change{denied: fmt.Sprintf(
				"the deprecated %s feature gate, and %s field contradict each other; the feature gate must not be set, or should be %s",
				moved.name, path, value)}
			return
		}
		made.warnings = append(made.warnings, fmt.Sprintf("feature gate %s is deprecated; please use the %s field instead", moved.name, path))
		if !set {
			made.patch = append(made.patch, r.set(moved, want))
		}
	}
}

// set returns the operation that sets the field. HCO creates no parent for the multi-arch
// gate: without spec.workloadSources the patch fails.
func (r request) set(moved movedGate, value bool) operation {
	path, content := moved.field, any(value)
	for moved.grows && len(path) > 1 && r.spec(path[:len(path)-1]...) == nil {
		content = map[string]any{path[len(path)-1]: content}
		path = path[:len(path)-1]
	}
	return r.add(content, path...)
}

// findGate returns a feature gate by name; HCO ignores case.
func findGate(list []hyperconverged.FeatureGate, name string) *hyperconverged.FeatureGate {
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return &list[i]
		}
	}
	return nil
}
