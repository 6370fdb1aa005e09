package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// fleetOfBase has clusters of one base, each with the architectures of its workload nodes.
func fleetOfBase(images int, architectures ...string) map[string]string {
	var base, states strings.Builder
	base.WriteString(strings.Replace(plainCR, "spec: {}\n", "spec:\n  dataImportCronTemplates:\n", 1))
	for i := range images {
		fmt.Fprintf(&base, "  - metadata: {name: image-%d}\n    spec: {managedDataSource: image-%[1]d, schedule: \"0 0 * * *\", template: {spec: "+
			"{source: {registry: {url: \"docker://registry.example/image-%[1]d:1\"}}, storage: {resources: {requests: {storage: 5Gi}}}}}}\n", i)
	}
	states.WriteString("apiVersion: goldenarch.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nclusters:\n")
	files := map[string]string{"base/hco.yaml": base.String(), "base/kustomization.yaml": "resources: [hco.yaml]\n"}
	for i, of := range architectures {
		files[fmt.Sprintf("c%d/kustomization.yaml", i)] = "resources: [../base]\n"
		fmt.Fprintf(&states, "- paths: [c%d]\n  release: \"1.18\"\n  workloadArchitectures: [%s]\n  controlPlaneArchitectures: [amd64]\n", i, of)
	}
	files["goldenarch.yaml"] = states.String()
	return files
}

// TestFixPatchesOnlyTheRest: where clusters share a base, --patch writes into the base what all of them need, and patches have only
// what depends on the nodes of a cluster.
func TestFixPatchesOnlyTheRest(t *testing.T) {
	t.Parallel()
	const both, amd = "amd64, arm64", "amd64"
	for _, tc := range []struct {
		reason  string
		files   map[string]string
		more    map[string]string // beside the files
		flags   []string
		changes []string
		patch   string // a text in the patch of c1
		lacks   string // what no patch of c1 has
		status  int    // of fix
	}{
		{
			reason: "only the gate differs", files: fleetOfBase(3, amd, both, amd, both),
			flags:   []string{"--image", "registry.example/image-0:1=amd64,arm64", "--image", "registry.example/image-1:1=amd64,arm64", "--image", "registry.example/image-2:1=amd64"},
			changes: []string{"base/hco.yaml", "c1/goldenarch-patch.yaml", "c1/kustomization.yaml", "c3/goldenarch-patch.yaml", "c3/kustomization.yaml"},
			patch:   "enableMultiArchBootImageImport: true", lacks: "dict.architectures",
		},
		{
			reason: "what a person wrote is wrong, and only some clusters read it", files: fleetOfBase(1, amd, both),
			more: map[string]string{"base/hco.yaml": strings.Replace(fleetOfBase(1)["base/hco.yaml"],
				"{name: image-0}", "{name: image-0, annotations: {ssp.kubevirt.io/dict.architectures: \"amd64, arm64\"}}", 1)},
			flags:   []string{"--image", "registry.example/image-0:1=amd64,arm64"},
			changes: []string{"base/hco.yaml", "c1/goldenarch-patch.yaml", "c1/kustomization.yaml"},
			patch:   "enableMultiArchBootImageImport: true", lacks: "dict.architectures",
		},
		{
			reason: "one cluster cannot boot an image, and disables it", files: fleetOfBase(2, both, "arm64, s390x"),
			flags:   []string{"--image", "registry.example/image-0:1=amd64", "--image", "registry.example/image-1:1=amd64,arm64"},
			changes: []string{"base/hco.yaml", "c0/goldenarch-patch.yaml", "c0/kustomization.yaml", "c1/goldenarch-patch-2.yaml", "c1/goldenarch-patch.yaml", "c1/kustomization.yaml"},
			patch:   "disabled-because", lacks: "dict.architectures",
		},
		{
			reason: "somebody beside the clusters builds the base", files: fleetOfBase(1, amd, both),
			more:    map[string]string{"other/kustomization.yaml": "resources: [../base]\n", ".krmignore": "other\n"},
			flags:   []string{"--image", "registry.example/image-0:1=amd64,arm64"},
			changes: []string{"c0/goldenarch-patch.yaml", "c0/kustomization.yaml", "c1/goldenarch-patch-2.yaml", "c1/goldenarch-patch.yaml", "c1/kustomization.yaml"},
			patch:   "dict.architectures",
		},
		{
			reason: "an overlay that cannot be decided on takes the base along", files: fleetOfBase(1, amd, both, amd),
			more: map[string]string{
				"c2/kustomization.yaml": "resources: [../base]\npatches:\n- target: {kind: HyperConverged}\n  patch: |\n    - op: replace\n" +
					"      path: /spec/dataImportCronTemplates/0/spec/template/spec/source/registry/url\n      value: docker://registry.example/unknown:1\n",
			},
			flags:   []string{"--image", "registry.example/image-0:1=amd64,arm64", "--keep-going"},
			changes: []string{"c0/goldenarch-patch.yaml", "c0/kustomization.yaml", "c1/goldenarch-patch-2.yaml", "c1/goldenarch-patch.yaml", "c1/kustomization.yaml"},
			patch:   "dict.architectures", status: 1,
		},
	} {
		maps.Copy(tc.files, tc.more)
		root := filetest.New(t, tc.files)
		initialised(t, root)
		commitTree(t, root, nil)
		before := filesBelow(t, root)
		args := append([]string{"fix", "--patch", ".", "--offline", "--set", "predefined=none"}, tc.flags...)
		out, status := inTree(t, root, nil, args...)
		after := filesBelow(t, root)
		changed := changedIn(before, after)
		slices.Sort(changed)
		if status != tc.status || !slices.Equal(changed, tc.changes) {
			t.Errorf("%s: want status %d and changes of\n%q, got %d and\n%q\n%s", tc.reason, tc.status, tc.changes, status, changed, out)
			continue
		}
		patches := after["c1/goldenarch-patch.yaml"] + after["c1/goldenarch-patch-2.yaml"]
		if !strings.Contains(patches, tc.patch) || tc.lacks != "" && strings.Contains(patches, tc.lacks) {
			t.Errorf("%s: want %q and no %q, got\n%s", tc.reason, tc.patch, tc.lacks, patches)
		}
		if out, status := inTree(t, root, nil, args...); status != tc.status || len(changedIn(after, filesBelow(t, root))) > 0 {
			t.Errorf("%s: a second run gives status %d and changes %q\n%s", tc.reason, status, changedIn(after, filesBelow(t, root)), out)
		}
		args = append([]string{"check", ".", "--offline", "--set", "predefined=none"}, slices.DeleteFunc(tc.flags, func(f string) bool { return f == "--keep-going" })...)
		if out, status := inTree(t, root, nil, args...); status != tc.status && tc.more[".krmignore"] == "" {
			t.Errorf("%s: want status %d of check, got %d\n%s", tc.reason, tc.status, status, out)
		}
	}
}
