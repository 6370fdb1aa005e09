package v1alpha1

import "fmt"

// FindScalar returns the option of a name, which is its flag or its key:
// "workload-architectures" or "workloadArchitectures". The error of an unknown
// name tells the nearest known one.
func FindScalar(name string) (Scalar, error) {
	var flags []string
	for _, scalar := range Scalars() {
		if name == scalar.Flag || name == scalar.Key {
			return scalar, nil
		}
		flags = append(flags, scalar.Flag)
	}
	return Scalar{}, fmt.Errorf("unknown option %q%s", name, didYouMean(name, flags))
}
