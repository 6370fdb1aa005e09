package admission

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// verdict is the answer of HCO's validating webhook.
type verdict struct {
	panics   string
	denied   string
	warnings []string
}

// validate applies HCO's validating webhook on create (hco webhooks/validator/validator.go,
// v1beta1_validator.go). The webhook warns about feature gates even if it denies the CR.
func (r request) validate(cr *hyperconverged.CR) verdict {
	err := r.validateSpec(cr)
	var said verdict
	if err == nil {
		said.warnings = r.warnPolicy()
	}
	said.warnings = append(said.warnings, r.warnFeatureGates(cr)...)
	if err == nil {
		err = r.validateComponents(cr)
	}
	switch {
	case errors.Is(err, hyperconverged.ErrPanic):
		return verdict{panics: "validator: " + nilPointer}
	case err != nil:
		said.denied = err.Error()
	}
	return said
}

// validateSpec returns the first problem in the spec for which HCO refuses the CR.
func (r request) validateSpec(cr *hyperconverged.CR) error {
	for _, check := range []func() error{
		r.validateCertificates,
		func() error { return validateTemplates(cr) },
		r.validateTLS,
		r.validateDeviceTypes,
		func() error { return validatePlacement("workloads", cr.Workloads) },
		func() error { return validatePlacement("infra", cr.Infra) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// validateComponents makes the SSP CR, as HCO does even on a cluster without SSP. This step
// refuses a duplicate name, and panics on a predefined template without a source (hco
// handlers/ssp.go: NewSSP). HCO converts a v1beta1 object first.
func (r request) validateComponents(cr *hyperconverged.CR) error {
	if cr.Unconvertible != nil && r.release.Since(firstField) {
		return cr.Unconvertible
	}
	_, err := hyperconverged.Merge(cr, r.table, nil)
	return err
}

// validateTemplates requires a valid enable annotation, and a spec if the template is
// enabled.
func validateTemplates(cr *hyperconverged.CR) error {
	for _, t := range cr.Templates {
		value, ok := t.Annotation(hyperconverged.EnableAnnotation)
		if ok && !slices.Contains([]string{"true", "false"}, strings.ToLower(value)) {
			return fmt.Errorf(`the %s annotation of a dataImportCronTemplate must be either "true" or "false"`, hyperconverged.EnableAnnotation)
		}
		if t.Enabled() && t.Spec == nil {
			return errors.New("dataImportCronTemplate spec is empty for an enabled DataImportCronTemplate")
		}
	}
	return nil
}

// validatePlacement refuses a required node affinity with an invalid term.
func validatePlacement(what string, placement hyperconverged.NodePlacement) error {
	if err := cluster.ValidatePlacement(cluster.Placement(placement)); err != nil {
		return fmt.Errorf("invalid %s node placement affinity: %w", what, err)
	}
	return nil
}

// validateDeviceTypes refuses mediated devices that the two names of the field list
// differently.
func (r request) validateDeviceTypes() error {
	if r.version != hyperconverged.V1beta1 {
		return nil
	}
	devices := r.spec("mediatedDevicesConfiguration")
	nodes, _ := lookup(devices, "nodeMediatedDeviceTypes").([]any)
	for _, part := range append([]any{devices}, nodes...) {
		former, _ := lookup(part, "mediatedDevicesTypes").([]any)
		now, _ := lookup(part, "mediatedDeviceTypes").([]any)
		if len(former) > 0 && len(now) > 0 && !slices.Equal(former, now) {
			return errors.New("mediatedDevicesTypes is deprecated, please use mediatedDeviceTypes instead")
		}
	}
	return nil
}
