package cli

import (
	"strings"
	"testing"
)

// TestPolicyGenerator: a policy that merges the CR keeps an old template beside an edited one, so
// goldenarch does not edit a template in the file that a PolicyGenerator wraps in such a policy.
func TestPolicyGenerator(t *testing.T) {
	t.Parallel()
	const (
		head = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
			"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec:\n  featureGates: {}\n"
		template = "  dataImportCronTemplates:\n  - metadata: {name: fedora}\n    spec:\n      schedule: 0 1 * * *\n      managedDataSource: fedora\n" +
			"      template: {spec: {source: {registry: {url: 'docker://quay.io/acme/fedora:42'}}, storage: {resources: {requests: {storage: 30Gi}}}}}\n"
	)
	for _, tc := range []struct {
		reason, cr, types string
		refused           bool
	}{
		{"musthave is the default", head + template, "policies: [{name: a, manifests: [{path: cr/hco.yaml}]}]", true},
		{"of a directory", head + template, "policies: [{name: a, manifests: [{path: cr}]}]", true},
		{"in any case", head + template, "policyDefaults: {complianceType: MustHave}\npolicies: [{name: a, manifests: [{path: cr/hco.yaml}]}]", true},
		{
			"a manifest counts before its policy", head + template,
			"policies: [{name: a, complianceType: mustonlyhave, manifests: [{path: cr/hco.yaml, complianceType: musthave}]}]", true,
		},
		{
			"one of two policies", head + template,
			"policies:\n- {name: a, complianceType: mustonlyhave, manifests: [{path: cr/hco.yaml}]}\n- {name: b, manifests: [{path: cr/hco.yaml}]}", true,
		},
		{
			"mustonlyhave of all policies", head + template,
			"policyDefaults: {complianceType: mustonlyhave}\npolicies: [{name: a, manifests: [{path: cr/hco.yaml}]}]", false,
		},
		{
			"a policy counts before the defaults", head + template,
			"policyDefaults: {complianceType: musthave}\npolicies: [{name: a, complianceType: mustonlyhave, manifests: [{path: cr/hco.yaml}]}]", false,
		},
		{"the gate is merged as it is", head, "policies: [{name: a, manifests: [{path: cr/hco.yaml}]}]", false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, map[string]string{
				"virt/cr/hco.yaml": tc.cr, "virt/kustomization.yaml": "generators: [policies.yaml]\n",
				"virt/policies.yaml": "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: virt}\n" + tc.types + "\n",
			})
			flags := []string{
				".", "--offline", "--image", "quay.io/acme/fedora:42=amd64,arm64", "--release", "1.19",
				"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
			}
			const says = "virt/policies.yaml: PolicyGenerator/virt has complianceType \"musthave\""
			for _, verb := range []string{"fix", "check"} {
				out, messages, status := runIn(t, dir, append([]string{verb}, flags...)...)
				if refused := strings.Contains(out+messages, "error GA831") && strings.Contains(out+messages, says); refused != tc.refused ||
					(status == statusFailed) != tc.refused {
					t.Errorf("%s: want refused %v, got status %d\n%s%s", verb, tc.refused, status, out, messages)
				}
			}
			if after := filesBelow(t, dir)["virt/cr/hco.yaml"]; (after == tc.cr) != tc.refused {
				t.Errorf("want the file unchanged: %v, got\n%s", tc.refused, after)
			}
		})
	}
}
