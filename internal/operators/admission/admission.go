package admission

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// Input is a CR that somebody creates, and the HCO that receives it.
type Input struct {
	// CR is the object as written, in JSON.
	CR json.RawMessage
	// Table has the predefined templates of the running HCO.
	Table hyperconverged.Table
	// Release is the release of HCO; the zero value is the newest.
	Release v1alpha1.Release
	// Parsed has the CRs that the run has parsed; nil keeps none.
	Parsed *hyperconverged.Parsed
}

// Admission is the answer of HCO's webhooks to a CR that somebody creates. After a denial,
// the later fields are empty, because the CR does not get that far.
type Admission struct {
	// Panic is "stage: message" where a webhook panics; the client gets HTTP 500.
	Panic string `json:"panic"`
	// MutatorDenied is why the mutating webhook denies the CR; "" if it does not.
	MutatorDenied   string   `json:"mutatorDenied"`
	MutatorWarnings []string `json:"mutatorWarnings"`
	// PatchError is why the mutating webhook's JSON patch does not apply.
	PatchError string `json:"patchError"`
	// ValidatorDenied is why the validating webhook denies the CR.
	ValidatorDenied   string   `json:"validatorDenied"`
	ValidatorWarnings []string `json:"validatorWarnings"`
	// Changed says that the stored form of an admitted CR differs from the written one.
	Changed bool `json:"changed"`
}

// Admitted reports whether HCO's webhooks let the CR in.
func (a Admission) Admitted() bool {
	return a.Panic == "" && a.MutatorDenied == "" && a.PatchError == "" && a.ValidatorDenied == ""
}

// Result is what happens to a CR.
type Result struct {
	// Admission is the answer of HCO's webhooks.
	Admission Admission
	// SchemaErrors is why the API server refuses the CR because of the CRD, as "spec.x:
	// what". Admit reports it in addition to the webhooks' answers, although a live API
	// server stops at the first refusal.
	SchemaErrors []string
	// Stored is the object as the API server stores it, and Model what HCO reads of it; both are nil if it is refused.
	Stored json.RawMessage
	Model  *hyperconverged.CR
}

// Admit predicts what happens to a CR that somebody creates. It returns an error only for
// an object that is not a HyperConverged of a known version. A refused CR is not an error.
func Admit(in Input) (Result, error) {
	object, version, err := read(in.CR)
	if err != nil {
		return Result{}, err
	}
	crd, err := structureOf(version, in.Release)
	if err != nil {
		return Result{}, err
	}
	request := request{text: in.CR, written: encode(object), object: object, version: version, release: in.Release, table: in.Table, parsed: in.Parsed}
	crd.fit(object)
	result := request.admit(crd)
	if !version.Serves(in.Release) {
		result.SchemaErrors = []string{fmt.Sprintf("apiVersion: HCO %s does not serve %s/%s", in.Release, hyperconverged.Group, version)}
	}
	result.SchemaErrors = append(result.SchemaErrors, crd.violations(object, in.Release)...)
	if !result.Admission.Admitted() || len(result.SchemaErrors) > 0 {
		result.Stored, result.Model, result.Admission.Changed = nil, nil, false
	}
	return result, nil
}

// read decodes the object. The error describes an object that is not a HyperConverged of a
// known version.
func read(data json.RawMessage) (map[string]any, hyperconverged.Version, error) {
	decoded, err := decode(data)
	if err != nil {
		return nil, "", fmt.Errorf("cannot read the CR: %w", err)
	}
	object, ok := decoded.(map[string]any)
	if !ok {
		return nil, "", errors.New("cannot read the CR: expected a JSON object")
	}
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if kind != hyperconverged.Kind {
		return nil, "", fmt.Errorf("kind %q is not known: expected %q", kind, hyperconverged.Kind)
	}
	version, err := hyperconverged.ParseVersion(apiVersion)
	return object, version, err
}
