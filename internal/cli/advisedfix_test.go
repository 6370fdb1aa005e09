package cli

import (
	"fmt"
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

// TestAdvisedPatchOfSome: where only some of the clusters that build a file need an edit, the advice is a patch for these, and
// it works. The others keep their bytes. A flag about an image that only one of them has is not called unused.
func TestAdvisedPatchOfSome(t *testing.T) {
	t.Parallel()
	base := strings.Replace(plainCR, "spec: {}\n", "spec:\n  featureGates: {enableMultiArchBootImageImport: true}\n", 1)
	const image = "registry.example/acme/"
	base += "  dataImportCronTemplates:\n  - metadata: {name: app, annotations: {ssp.kubevirt.io/dict.architectures: \"amd64,arm64\"}}\n" +
		"    spec: {managedDataSource: app, schedule: \"0 0 * * *\", template: {spec: {source: {registry: {url: \"docker://" + image + "app:1\"}}, " +
		"storage: {resources: {requests: {storage: 5Gi}}}}}}\n"
	const overlay = "resources: [../../base]\n"
	root := filetest.New(t, map[string]string{
		"base/hco.yaml": base, "base/kustomization.yaml": "resources: [hco.yaml]\n",
		"overlays/a/kustomization.yaml": overlay, "overlays/b/kustomization.yaml": overlay,
		"overlays/c/kustomization.yaml": overlay + "patches:\n- target: {kind: HyperConverged}\n  patch: |\n    - op: replace\n" +
			"      path: /spec/dataImportCronTemplates/0/spec/template/spec/source/registry/url\n      value: docker://" + image + "app:2\n",
		"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n- paths: ['overlays/*']\n" +
			"  release: \"1.19\"\n  workloadArchitectures: [amd64, arm64]\n  controlPlaneArchitectures: [amd64]\n",
	})
	initialised(t, root)
	commitTree(t, root, nil)
	args := []string{
		"check", ".", "--offline", "--set", "predefined=none", "--image", image + "app:1=amd64,arm64", "--image", image + "app:2=amd64",
	}
	out, status := inTree(t, root, nil, args...)
	advice, ok := adviceOf(out)
	if status != 1 || !ok || !strings.HasPrefix(advice, "fix --patch . ") || !strings.Contains(out, "2 of 3 clusters boot everything. 1 does not, for 1 reason.") {
		t.Fatalf("want a patch advised, got status %d\n%s", status, out)
	}
	if strings.Contains(out, "GA206") {
		t.Errorf("a cluster has each image:\n%s", out)
	}
	before := filesBelow(t, root)
	if out, status := inTree(t, root, nil, strings.Fields(advice)...); status != 0 || strings.Contains(out, "GA206") {
		t.Fatalf("want status 0 of %q, and no GA206, got %d\n%s", advice, status, out)
	}
	changed := strings.Join(changedIn(before, filesBelow(t, root)), " ")
	if !strings.Contains(changed, "overlays/c/") || strings.Contains(changed, "base/") || strings.Contains(changed, "overlays/a/") {
		t.Errorf("want only overlays/c to change, got %s", changed)
	}
	if out, status := inTree(t, root, nil, args...); status != 0 {
		t.Errorf("want status 0 afterwards, got %d\n%s", status, out)
	}
}

// TestAdvisedPatchOfDifferent: the clusters that build a file need different edits of it, because the gate of a v1 CR is elsewhere in
// another release.
func TestAdvisedPatchOfDifferent(t *testing.T) {
	t.Parallel()
	const entry = "- {paths: [overlays/%s], release: \"%s\", workloadArchitectures: [amd64, arm64], controlPlaneArchitectures: [amd64]}\n"
	root := filetest.New(t, map[string]string{
		"base/hco.yaml":                 strings.Replace(plainCR, "hco.kubevirt.io/v1beta1", "hco.kubevirt.io/v1", 1),
		"base/kustomization.yaml":       "resources: [hco.yaml]\n",
		"overlays/a/kustomization.yaml": "resources: [../../base]\n", "overlays/b/kustomization.yaml": "resources: [../../base]\n",
		"goldenarch.yaml": "apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n" +
			fmt.Sprintf(entry, "a", "1.18") + fmt.Sprintf(entry, "b", "1.19"),
	})
	initialised(t, root)
	commitTree(t, root, nil)
	out, status := inTree(t, root, nil, "check", ".", "--offline")
	advice, ok := adviceOf(out)
	if status != 1 || !ok || !strings.HasPrefix(advice, "fix --patch . ") {
		t.Fatalf("want a patch advised, got status %d\n%s", status, out)
	}
	if out, status := inTree(t, root, nil, strings.Fields(advice)...); status != 0 {
		t.Fatalf("want status 0 of %q, got %d\n%s", advice, status, out)
	}
	if out, status := inTree(t, root, nil, "check", ".", "--offline"); status != 0 {
		t.Errorf("want status 0 afterwards, got %d\n%s", status, out)
	}
}

// TestNoAdvisedFix: check does not advise fix where fix refuses because of how the files are written. It says what fix says.
func TestNoAdvisedFix(t *testing.T) {
	t.Parallel()
	const annotation = "ssp.kubevirt.io/dict.architectures"
	cr := func(annotations string) string {
		return strings.TrimSuffix(gateOn, "}\n") + ", dataImportCronTemplates: [{metadata: {name: img, annotations: {" + annotations + "}}, " +
			"spec: {schedule: \"0 0 * * *\", managedDataSource: img, template: {spec: {source: {registry: {url: \"docker://quay.io/acme/img:1\"}}, " +
			"storage: {resources: {requests: {storage: 1Gi}}}}}}}]}\n"
	}
	replaced := func(declared string) map[string]string {
		return map[string]string{
			"virt/hco.yaml":    cr(annotation + ": " + declared),
			"virt/values.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: v}\ndata: {arch: s390x}\n",
			"virt/kustomization.yaml": "resources: [hco.yaml, values.yaml]\nreplacements:\n- source: {kind: ConfigMap, fieldPath: data.arch}\n" +
				"  targets:\n  - select: {kind: HyperConverged}\n" +
				"    fieldPaths: [\"spec.dataImportCronTemplates.*.metadata.annotations.[" + annotation + "]\"]\n",
		}
	}
	shared := replaced("arm64")
	shared["virt/kustomization.yaml"] = strings.Replace(shared["virt/kustomization.yaml"], "hco.yaml", "../base", 1)
	shared["base/hco.yaml"], shared["base/kustomization.yaml"] = shared["virt/hco.yaml"], "resources: [hco.yaml]\n"
	shared["lab/kustomization.yaml"] = "resources: [../base]\n"
	delete(shared, "virt/hco.yaml")
	for _, tc := range []struct {
		reason, want string
		files        map[string]string
	}{
		{"a replacement over a base that another builds", "ake the edit by hand", shared},
		{
			"a merge key", "a merge key (<<) brings a field that must change. Write the value out",
			map[string]string{"virt/hco.yaml": cr("<<: {" + annotation + ": s390x}")},
		},
		{"a replacement", "no file that goldenarch can edit sets this field", replaced("arm64")},
		{"a replacement by the same value", "the build would not give what was decided", replaced("s390x")},
	} {
		root := filetest.New(t, tc.files)
		for _, path := range []string{"virt", "."} {
			args := []string{
				path, "--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
				"--image", "quay.io/acme/img:1=amd64,arm64",
			}
			out, status := inTree(t, root, nil, append([]string{"check"}, args...)...)
			if status != statusFailed || strings.Contains(out, "goldenarch fix") || !strings.Contains(out, tc.want) {
				t.Errorf("%s, %s: want %q and no fix, got status %d\n%s", tc.reason, path, tc.want, status, out)
			}
			if out, status := inTree(t, root, nil, append([]string{"fix"}, args...)...); status != statusFailed || !strings.Contains(out, tc.want) {
				t.Errorf("%s, %s: want fix to say %q, got status %d\n%s", tc.reason, path, tc.want, status, out)
			}
		}
	}
}
