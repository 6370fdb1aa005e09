package cli

import (
	"os"
	"path/filepath"
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
	const built = "virt/cr/kustomization.yaml"
	for _, tc := range []struct {
		reason, cr, types string
		refused           bool
	}{
		{"of a directory with a kustomization: " + built, head + template, "policies: [{name: a, manifests: [{path: cr}]}]", true},
		{
			"mustonlyhave of one: " + built, head + template,
			"policies: [{name: a, complianceType: mustonlyhave, manifests: [{path: cr}]}]", false,
		},
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
			const says = "virt/policies/p.yaml: PolicyGenerator/virt has complianceType \"musthave\""
			for _, path := range []string{".", "virt/cr/hco.yaml", "virt/cr"} {
				files := map[string]string{
					"virt/cr/hco.yaml": tc.cr, "virt/kustomization.yaml": "generators: [policies/p.yaml]\n",
					"virt/policies/p.yaml": "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: virt}\n" + tc.types + "\n",
				}
				if strings.Contains(tc.reason, built) {
					files[built] = "resources: [hco.yaml]\n"
				}
				dir := writeTree(t, files)
				flags := append([]string{path}, offlineFedora...)
				for _, verb := range []string{"fix", "check"} {
					out, messages, status := runIn(t, dir, append([]string{verb}, flags...)...)
					if refused := strings.Contains(out+messages, "error GA831") && strings.Contains(out+messages, says); refused != tc.refused ||
						(status == statusFailed) != tc.refused {
						t.Errorf("%s %s: want refused %v, got status %d\n%s%s", verb, path, tc.refused, status, out, messages)
					}
				}
				if after := filesBelow(t, dir)["virt/cr/hco.yaml"]; (after == tc.cr) != tc.refused {
					t.Errorf("fix %s: want the file unchanged: %v, got\n%s", path, tc.refused, after)
				}
			}
		})
	}
}

// offlineFedora are the flags of a run that knows the nodes and the image of fedora.
var offlineFedora = []string{
	"--offline", "--image", "quay.io/acme/fedora:42=amd64,arm64", "--release", "1.19",
	"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
}

// TestWhatAPolicyGeneratorDoes: a policy that it makes may apply nothing, or change the CR. What is
// of a CR is said for each path that leads to it.
func TestWhatAPolicyGeneratorDoes(t *testing.T) {
	t.Parallel()
	const cr = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n" +
		"spec: {featureGates: {enableMultiArchBootImageImport: true}}\n"
	for _, tc := range []struct{ reason, says, want string }{
		{"inform is the default", "policies: [{name: a, manifests: [{path: cr/hco.yaml}]}]", "GA834"},
		{"enforce of the defaults", "policyDefaults: {remediationAction: enforce}\npolicies: [{name: a, manifests: [{path: cr/hco.yaml}]}]", ""},
		{
			"a manifest counts before its policy",
			"policies: [{name: a, consolidateManifests: false, remediationAction: enforce, manifests: [{path: cr/hco.yaml, remediationAction: inform}]}]", "GA834",
		},
		{"one of two policies applies it", "policies:\n- {name: a, manifests: [{path: cr}]}\n- {name: b, remediationAction: enforce, manifests: [{path: cr}]}", ""},
		{"a policy that is disabled", "policies: [{name: a, disabled: true, remediationAction: enforce, manifests: [{path: cr}]}]", "GA834"},
		{
			"a policy that is not, against the defaults",
			"policyDefaults: {disabled: true}\npolicies: [{name: a, disabled: false, remediationAction: enforce, manifests: [{path: cr}]}]", "",
		},
		{"a patch", "policies: [{name: a, remediationAction: enforce, manifests: [{path: cr, patches: [{spec: {}}]}]}]", "GA874"},
		{"a patch of the kind", "policies: [{name: a, remediationAction: enforce, manifests: [{path: cr, patches: [{kind: HyperConverged}]}]}]", "GA874"},
		{"a patch of another kind", "policies: [{name: a, remediationAction: enforce, manifests: [{path: cr, patches: [{kind: Namespace}]}]}]", ""},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, map[string]string{
				"virt/cr/hco.yaml": cr, "virt/kustomization.yaml": "generators: [p.yaml]\n",
				"virt/p.yaml": "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: virt}\n" + tc.says + "\n",
			})
			for _, path := range []string{".", "virt/cr/hco.yaml", "virt/cr", "./"} {
				if path == "./" { // without Git, from the working directory on
					if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
						t.Fatal(err)
					}
				}
				out, messages, status := runIn(t, dir, append([]string{"check", path}, offlineFedora...)...)
				for _, id := range []string{"GA834", "GA874"} {
					if got := strings.Contains(out, id); got != (id == tc.want) || (status == statusFailed) != (tc.want == "GA874") {
						t.Errorf("check %s: want %q, got status %d\n%s%s", path, tc.want, status, out, messages)
					}
				}
			}
		})
	}
}

// TestPolicyGeneratorOfAWorkload: the file of a workload that a PolicyGenerator wraps is a cluster, as
// that of a CR, and has the same findings.
func TestPolicyGeneratorOfAWorkload(t *testing.T) {
	t.Parallel()
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: 'quay.io/acme/app:1'}]}\n"
	for compliance, refused := range map[string]bool{"musthave": true, "mustonlyhave": false} {
		dir := writeTree(t, map[string]string{
			"virt/pod.yaml": pod, "virt/kustomization.yaml": "generators: [p.yaml]\n",
			"virt/p.yaml": "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: virt}\n" +
				"policies: [{name: a, complianceType: " + compliance + ", manifests: [{path: pod.yaml}]}]\n",
		})
		for _, path := range []string{".", "virt/pod.yaml"} {
			out, messages, status := runIn(t, dir, "fix", path, "--workloads", "Affinity", "--offline", "--image", "quay.io/acme/app:1=amd64",
				"--workload-architectures", "amd64,arm64")
			if strings.Contains(messages, "error GA831") != refused || !strings.Contains(messages, "info GA834") || (status == statusFailed) != refused {
				t.Errorf("fix %s of %s: status %d\n%s%s", path, compliance, status, out, messages)
			}
			if changed := filesBelow(t, dir)["virt/pod.yaml"] != pod; changed == refused {
				t.Errorf("fix %s of %s: changed: %v", path, compliance, changed)
			}
		}
	}
}
