package cli

import (
	"strings"
	"testing"
)

// TestDumpCommand: the advised command dumps the CR of the product that the run is about.
func TestDumpCommand(t *testing.T) {
	t.Parallel()
	const inUpstream = "kubectl get hyperconvergeds.v1beta1.hco.kubevirt.io -n kubevirt-hyperconverged kubevirt-hyperconverged -o yaml"
	const inOpenShift = "oc get hyperconvergeds.v1beta1.hco.kubevirt.io -n openshift-cnv kubevirt-hyperconverged -o yaml"
	const anywhere = "kubectl get hyperconvergeds.v1beta1.hco.kubevirt.io -A -o yaml"
	downstream := strings.Replace(plainCR, "namespace: kubevirt-hyperconverged", "namespace: openshift-cnv", 1)
	nowhere := strings.Replace(plainCR, ", namespace: kubevirt-hyperconverged", "", 1)
	noSpec := "status: {dataImportCronTemplates: [{metadata: {name: a}, status: {}}]}\n"
	for _, tc := range []struct{ reason, cr, live, want string }{
		{"no status, upstream", nowhere, plainCR, inUpstream},
		{"no status, OpenShift Virtualization", nowhere, downstream, inOpenShift},
		{"no namespace in the dump, the CR says it", downstream, nowhere, inOpenShift},
		{"no HyperConverged in the dump", plainCR, armPod, inUpstream},
		{"a template without a spec, upstream", plainCR, plainCR + noSpec, inUpstream},
		{"a template without a spec, OpenShift Virtualization", downstream, downstream + noSpec, inOpenShift},
		{"nothing says where the CR is", nowhere, armPod, anywhere},
	} {
		dir := writeTree(t, map[string]string{"virt/hco.yaml": tc.cr, "live.yaml": tc.live})
		for _, verb := range []string{"check", "fix", "forecast"} {
			out, errs, status := runIn(t, dir, verb, "virt", "--live", "live.yaml")
			commands := strings.Count(out+errs, " get hyperconvergeds.v1beta1.hco.kubevirt.io ")
			if status != statusFailed || !strings.Contains(out+errs, tc.want) || commands != strings.Count(out+errs, tc.want) {
				t.Errorf("%s: %s ends with %d, want %q alone\n%s%s", tc.reason, verb, status, tc.want, out, errs)
			}
		}
	}
}

// TestNotJudged: a golden image of which nothing says what it has is none that boots on some nodes. Programs read what they read before.
func TestNotJudged(t *testing.T) {
	t.Parallel()
	second := strings.NewReplacer("name: own", "name: other", "own:1", "other:1", "managedDataSource: own", "managedDataSource: other")
	_, template, _ := strings.Cut(strangersCR, "dataImportCronTemplates:\n")
	gate := "spec:\n  featureGates: {enableMultiArchBootImageImport: true}\n"
	only := strings.Replace(strangersCR, "spec:\n", gate, 1)
	for _, tc := range []struct {
		reason, cr, says string
		cells            int // that are not known
	}{
		{
			"one of four", only, "1 of 4 golden images could not be judged, because nothing says what the image has, for 1 reason.", 2,
		},
		{
			"two", only + second.Replace(template), "2 of 5 golden images could not be judged, because nothing says what the images have, for 2 reasons.", 4,
		},
		{
			"the others boot on some nodes only", strangersCR,
			"3 of 4 golden images boot on some nodes only, and nothing says on which, 1 could not be judged, because nothing says what the image has", 2,
		},
	} {
		dir := writeTree(t, map[string]string{"hco.yaml": tc.cr})
		args := []string{"check", "hco.yaml", "--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"}
		out, errs, status := runIn(t, dir, args...)
		if got := strings.Count(out, "  ?"); status != statusFailed || !strings.HasPrefix(out, tc.says) || got != tc.cells {
			t.Errorf("%s: status %d, want %q and %d cells, got %d\n%s%s", tc.reason, status, tc.says, tc.cells, got, out, errs)
		}
		if out, _, _ := runIn(t, dir, append(args, "-o", "json")...); strings.Contains(out, `"?"`) || !strings.Contains(out, `"depends"`) {
			t.Errorf("%s: the JSON form has another value\n%s", tc.reason, out)
		}
	}
}
