package v1alpha1

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/near"
)

// FindScalar returns an option by its flag or its key: "workload-architectures" or
// "workloadArchitectures". The error for an unknown name suggests the nearest known
// one.
func FindScalar(name string) (Scalar, error) {
	var flags []string
	for _, scalar := range Scalars() {
		if name == scalar.Flag || name == scalar.Key {
			return scalar, nil
		}
		flags = append(flags, scalar.Flag)
	}
	return Scalar{}, fmt.Errorf("unknown option %q%s", name, near.DidYouMean(name, flags))
}
