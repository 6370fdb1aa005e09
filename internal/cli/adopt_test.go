package cli

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestFromCloneToGreen: in each kind of repository two commands lead from a clone to a check
// that passes, without a line written by hand. After each of them what applies the repository
// still gets the CR, and nothing of goldenarch. The check fails when an image changes.
func TestFromCloneToGreen(t *testing.T) {
	t.Parallel()
	const kustomized = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: ["
	const application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: NAME, namespace: argocd}\n" +
		"spec: {destination: {name: in-cluster}, project: default, source: {repoURL: https://git.example/acme/fleet, path: NAME, targetRevision: main}}\n"
	argo := func(name string) string { return strings.ReplaceAll(application, "NAME", name) }
	for _, tc := range []struct {
		reason  string
		applied []string // what kubectl, kustomize, Argo CD, Flux or kpt applies
		files   map[string]string
	}{
		{"plain files", []string{"virt"}, map[string]string{"virt/hco.yaml": "CR"}},
		{
			reason: "kustomize", applied: []string{"overlays/lab", "overlays/prod"},
			files: map[string]string{
				"base/hco.yaml": "CR", "base/kustomization.yaml": kustomized + "hco.yaml]\n",
				"overlays/lab/kustomization.yaml": kustomized + "../../base]\n", "overlays/prod/kustomization.yaml": kustomized + "../../base]\n",
			},
		},
		{
			reason: "an app of apps of Argo CD", applied: []string{"apps", "virt", "plain"},
			files: map[string]string{
				"root.yaml": argo("apps"), "apps/virt.yaml": argo("virt"), "apps/plain.yaml": argo("plain"),
				"virt/hco.yaml": "CR", "virt/kustomization.yaml": kustomized + "hco.yaml]\n", "plain/hco.yaml": "CR",
			},
		},
		{
			reason: "Flux", applied: []string{"virt"},
			files: map[string]string{
				"clusters/prod/virt.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: virt, namespace: flux-system}\n" +
					"spec: {interval: 10m, path: ./virt, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}\n",
				"virt/hco.yaml": "CR",
			},
		},
		{
			reason: "a package of kpt", applied: []string{"virt"},
			files: map[string]string{"virt/hco.yaml": "CR", "virt/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: virt}\n"},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			cr := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n" +
				"metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\nspec:\n" +
				"  dataImportCronTemplates:\n  - metadata: {name: ours}\n    spec:\n      schedule: \"0 0 * * *\"\n      managedDataSource: ours\n" +
				"      template: {spec: {source: {registry: {url: \"docker://" + l.ref("x/fedora:1") + "\"}}, storage: {resources: {requests: {storage: 5Gi}}}}}\n"
			for name, text := range tc.files {
				tc.files[name] = strings.ReplaceAll(text, "CR", cr)
			}
			before := slices.Collect(maps.Keys(tc.files))
			dir := writeTree(t, tc.files)
			git(t, dir, "", "init", "-q")
			git(t, dir, "", "remote", "add", "origin", "https://git.example/acme/fleet")
			insecure := []string{"--set", "registryInsecure=" + l.registry.Host()}
			facts := []string{"--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"}
			step := func(want int, says string, args ...string) {
				t.Helper()
				if out, messages, status := runIn(t, dir, append(args, insecure...)...); status != want || !strings.Contains(out+messages, says) {
					t.Fatalf("goldenarch %q ends with %d:\n%s%s", args, status, out, messages)
				}
				for _, one := range tc.applied {
					applies(t, filepath.Join(dir, one), one != "apps")
				}
			}
			step(statusFailed, "error GA430", slices.Concat([]string{"check", "."}, facts)...)
			step(statusOK, "wrote goldenarch.yaml", slices.Concat([]string{"init", "."}, facts)...)
			step(statusOK, "passed: RightAsCommitted", "check", ".")
			after := slices.Sorted(maps.Keys(filesBelow(t, dir)))
			if diff := cmp.Diff(slices.Sorted(slices.Values(append(before, "goldenarch.yaml"))), after); diff != "" {
				t.Errorf("the files (-want +got):\n%s", diff)
			}
			l.registry.Push("x/fedora:1", registrytest.Index("linux/amd64"))
			step(statusFailed, "GA104", "check", ".")
		})
	}
}

// applies fails unless what is applied from a directory has the CR, if it is to have one, and
// no object of goldenarch.
func applies(t *testing.T, dir string, cr bool) {
	t.Helper()
	var text string
	if kustomize.In(dir) {
		text = kustomizeOutput(t, "--plain", dir)
	} else {
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data := filetest.Read(t, file)
			text += string(data)
		}
	}
	if strings.Contains(text, "kind: HyperConverged") != cr || strings.Contains(text, "apiVersion: goldenarch.dev") {
		t.Errorf("%s applies\n%s", dir, text)
	}
}
