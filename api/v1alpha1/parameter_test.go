package v1alpha1

import (
	"strings"
	"testing"
)

func TestFindScalar(t *testing.T) {
	t.Parallel()
	for _, scalar := range Scalars() {
		for _, name := range []string{scalar.Flag, scalar.Key} {
			found, err := FindScalar(name)
			if err != nil || found.Key != scalar.Key {
				t.Errorf("%q: got %q, %v", name, found.Key, err)
			}
		}
	}
	for name, tc := range map[string]struct{ reason, want string }{
		"workload-architecture": {"the nearest is told", `unknown setting "workload-architecture"; did you mean "workload-architectures"?`},
		"Release":               {"names are case-sensitive, as in a GoldenImages", `unknown setting "Release"; did you mean "release"?`},
		"allow-insecure-credentials": {
			"what a package must not decide is no option", `unknown setting "allow-insecure-credentials": expected one of workloadArchitectures, `,
		},
		"": {"nothing is near to nothing, so all are listed", `unknown setting "": expected one of workloadArchitectures, `},
	} {
		if _, err := FindScalar(name); err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.reason, err, tc.want)
		}
	}
}
