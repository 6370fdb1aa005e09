// Package webhooks gets a function that SSP's package of this name lacks: the file is built
// into that package (go build -overlay).
package webhooks

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	sspv1beta3 "kubevirt.io/ssp-operator/api/v1beta3"
)

// OracleValidate is what the webhook says of an SSP CR that is created.
func OracleValidate(ctx context.Context, cl client.Client, ssp *sspv1beta3.SSP) error {
	_, err := newSspValidator(cl).ValidateCreate(ctx, ssp)
	return err
}
