package kinds

import (
	"testing"
)

func TestSimilar(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, apiVersion, kind string
		want                     string // apiVersion and kind, "" for no warning
	}{
		{"another case", "hco.kubevirt.io/v1beta1", "Hyperconverged", "hco.kubevirt.io/v1beta1 HyperConverged"},
		{"another case in v1", "hco.kubevirt.io/v1", "hyperConverged", "hco.kubevirt.io/v1 HyperConverged"},
		{"a plural", "hco.kubevirt.io/v1beta1", "HyperConvergeds", "hco.kubevirt.io/v1beta1 HyperConverged"},
		{"KubeVirt's group", "kubevirt.io/v1", "HyperConverged", "hco.kubevirt.io/v1 HyperConverged"},
		{"KubeVirt's group and another case", "kubevirt.io/v1", "Hyperconverged", "hco.kubevirt.io/v1 HyperConverged"},
		{"a group of the same project", "ssp.kubevirt.io/v1beta2", "HyperConverged", "hco.kubevirt.io/v1beta1 HyperConverged"},
		{"a slip in the group", "hco.kubevrit.io/v1", "HyperConverged", "hco.kubevirt.io/v1 HyperConverged"},
		{"no group", "v1beta1", "HyperConverged", "hco.kubevirt.io/v1beta1 HyperConverged"},
		{"no apiVersion", "", "HyperConverged", "hco.kubevirt.io/v1beta1 HyperConverged"},
		{"a singular of ours", "goldenarch.dev/v1alpha1", "GoldenImage", "goldenarch.dev/v1alpha1 GoldenImages"},
		{"another group of ours", "goldenarch.io/v1alpha1", "GoldenImages", "goldenarch.dev/v1alpha1 GoldenImages"},
		{"node facts", "goldenarch.dev/v1alpha1", "ClusterArchitecture", "goldenarch.dev/v1alpha1 ClusterArchitectures"},
		{"a lock", "goldenarch.dev/v1alpha1", "ArchitecturesLock", "goldenarch.dev/v1alpha1 ArchitectureLock"},

		{"the CR itself", "hco.kubevirt.io/v1beta1", "HyperConverged", ""},
		{"a version that is not known has its own error", "hco.kubevirt.io/v1alpha1", "HyperConverged", ""},
		{"a list of CRs", "hco.kubevirt.io/v1beta1", "HyperConvergedList", ""},
		{"KubeVirt", "kubevirt.io/v1", "KubeVirt", ""},
		{"a virtual machine", "kubevirt.io/v1", "VirtualMachine", ""},
		{"SSP", "ssp.kubevirt.io/v1beta2", "SSP", ""},
		{"a stranger of the same name", "example.com/v1", "HyperConverged", ""},
		{"a stranger of nearly the same name", "example.com/v1", "Hyperconverged", ""},
		{"another kind of ours", "goldenarch.dev/v1alpha1", "Fleet", ""},
		{"nothing", "", "", ""},
	} {
		got := ""
		if meant, ok := Similar(tc.apiVersion, tc.kind); ok {
			got = meant.apiVersion + " " + meant.kind
		}
		if got != tc.want {
			t.Errorf("%s: %s %s is near %q, want %q", tc.reason, tc.apiVersion, tc.kind, got, tc.want)
		}
	}
}
