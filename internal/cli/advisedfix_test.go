package cli

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestAdvisedFixOfASharedBase: where overlays share a base, the command that a check advises works, and the check is green then.
func TestAdvisedFixOfASharedBase(t *testing.T) {
	t.Parallel()
	off := strings.Replace(gateOn, "featureGates: {enableMultiArchBootImageImport: true}", "", 1)
	flags := []string{"--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"}
	for _, tc := range []struct {
		reason, path, want string
		overlays           []string
	}{
		{"one of two overlays", "overlays/a", "fix --patch overlays/a", []string{"a", "b"}},
		{"both", ".", "fix .", []string{"a", "b"}},
		{"the only overlay", "overlays/a", "fix overlays/a", []string{"a"}},
	} {
		files := map[string]string{"base/hco.yaml": off, "base/kustomization.yaml": "resources: [hco.yaml]\n"}
		for _, name := range tc.overlays {
			files["overlays/"+name+"/kustomization.yaml"] = "resources: [../../base]\n"
		}
		root := filetest.New(t, files)
		initialised(t, root)
		commitTree(t, root, nil)
		out, status := inTree(t, root, nil, append([]string{"check", tc.path}, flags...)...)
		advice, ok := adviceOf(out)
		if status != 1 || !ok || !strings.HasPrefix(advice+" ", tc.want+" ") {
			t.Errorf("%s: want status 1 and %q, got %d\n%s", tc.reason, tc.want, status, out)
			continue
		}
		if out, status := inTree(t, root, nil, strings.Fields(advice)...); status != 0 {
			t.Errorf("%s: want status 0 of %q, got %d\n%s", tc.reason, advice, status, out)
		}
		if out, status := inTree(t, root, nil, append([]string{"check", tc.path}, flags...)...); status != 0 {
			t.Errorf("%s: want status 0 afterwards, got %d\n%s", tc.reason, status, out)
		}
	}
}
