package hyperconverged

import "testing"

// TestSimilarAnnotations: annotations of the CR itself that nobody reads there.
func TestSimilarAnnotations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, key, field, proposed string }{
		{"a template's architectures", ClaimAnnotation, "metadata.annotations[" + ClaimAnnotation + "]", ""},
		{"a template's switch", EnableAnnotation, "metadata.annotations[" + EnableAnnotation + "]", ""},
		{"a slip in the name", "ssp.kubevirt.io/jsonpach", "metadata.annotations[ssp.kubevirt.io/jsonpach]", SSPPatchAnnotation},
		{"a slip in the prefix", "kubevirt.kubvirt.io/jsonpatch", "metadata.annotations[kubevirt.kubvirt.io/jsonpatch]", "kubevirt.kubevirt.io/jsonpatch"},

		{"the patch of SSP", SSPPatchAnnotation, "", ""},
		{"the patch of KubeVirt", "kubevirt.kubevirt.io/jsonpatch", "", ""},
		{"the patch of CDI", "containerizeddataimporter.kubevirt.io/jsonpatch", "", ""},
		{"one that many CRs still have", "deployOVS", "", ""},
		{"Argo CD's", "argocd.argoproj.io/sync-wave", "", ""},
		{"a stranger's", "acme.example/jsonpatch", "", ""},
	} {
		found := (&CR{Annotations: map[string]string{tc.key: "x"}}).similarAnnotations()
		var field, proposed string
		for _, f := range found {
			field += f.Field
			if text, ok := f.Proposed.(string); ok {
				proposed += text
			}
		}
		if field != tc.field || proposed != tc.proposed || len(found) > 1 {
			t.Errorf("%s: want %q at %q, got %s", tc.reason, tc.proposed, tc.field, found)
		}
	}
}
