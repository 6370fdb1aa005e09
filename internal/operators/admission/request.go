package admission

import (
	"encoding/json"
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// unreadable is the message of HCO's mutating webhook for an object that does not fit its
// Go types (hco hyperConvergedMutator.go).
const unreadable = "failed to parse the HyperConverged"

// nilPointer is Go's message for the panic.
const nilPointer = "runtime error: invalid memory address or nil pointer dereference"

// request is a create request on its way through HCO's webhooks.
type request struct {
	object  map[string]any
	version hyperconverged.Version
	release v1alpha1.Release
	table   hyperconverged.Table
	parsed  *hyperconverged.Parsed
}

// admit sends the object through both webhooks. The mutating webhook changes it.
func (r request) admit(crd *structure) (Admission, error) {
	said := Admission{MutatorWarnings: []string{}, ValidatorWarnings: []string{}}
	cr, err := r.parse()
	if err != nil {
		return said, err
	}
	if cr == nil || !crd.typed(r.object) || !r.durationsRead() {
		said.MutatorDenied = unreadable
		return said, nil
	}
	change := r.mutate(cr)
	if said.MutatorDenied = change.denied; change.denied != "" {
		return said, nil
	}
	said.MutatorWarnings = append(said.MutatorWarnings, change.warnings...)
	if err := change.patch.apply(r.object); err != nil {
		said.PatchError = err.Error()
		return said, nil //nolint:nilerr // it is told as the API server's words
	}
	// The API server sets defaults once more after a webhook's patch.
	crd.fill(r.object)

	if cr, err = r.parse(); err != nil {
		return said, err
	}
	verdict := r.validate(cr)
	if said.Panic = verdict.panics; verdict.panics != "" {
		return said, nil
	}
	said.ValidatorDenied = verdict.denied
	said.ValidatorWarnings = append(said.ValidatorWarnings, verdict.warnings...)
	return said, nil
}

// parse reads the object in its present state. It returns nil if the object does not fit
// HCO's types.
func (r request) parse() (*hyperconverged.CR, error) {
	data, err := json.Marshal(r.object)
	if err != nil {
		return nil, fmt.Errorf("cannot write the object: %w", err)
	}
	cr, _ := r.parsed.Parse(data)
	return cr, nil
}

// spec returns the value at a path below spec; nil if the path does not exist.
func (r request) spec(path ...string) any { return lookup(r.object["spec"], path...) }
