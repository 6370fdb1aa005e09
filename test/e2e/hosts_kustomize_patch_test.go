package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestKustomizePatches: kustomize itself builds what fix --patch wrote. What the base gets
// later is in the build of the overlay, or that build fails.
func TestKustomizePatches(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	goldenarch := build(t, repository(t), ".", "goldenarch")
	programs := map[string]string{
		"Kustomize5": build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize"),
		"Kustomize4": build(t, filepath.Join(repository(t), "test/e2e/kustomize4"), "sigs.k8s.io/kustomize/kustomize/v4", "kustomize"),
	}
	const cr, pods, csv = "overlay_gets_a_patch", "overlay_gets_patches_of_pods", "overlay_gets_patches_of_a_csv"
	for name, tc := range map[string]struct {
		reason, tree string
		file         string    // of the base
		before, now  [2]string // edits of the base before and after the run: a text, and what replaces it
		fails        string    // what the error names
		has          []string  // what is in the build
	}{
		"CR": {
			reason: "the build has the decisions", tree: cr, file: "hyperconverged.yaml",
			has: []string{"ssp.kubevirt.io/dict.architectures: amd64,arm64\n", "enableMultiArchBootImageImport: true\n"},
		},
		"AnotherGate": {
			reason: "the base gains a key beside the patched one", tree: cr, file: "hyperconverged.yaml",
			now: [2]string{"spec:\n  data", "spec:\n  featureGates: {downwardMetrics: true}\n  data"},
			has: []string{"downwardMetrics: true\n", "enableMultiArchBootImageImport: true\n"},
		},
		"AnnotationsOfATemplate": {
			reason: "the base gains annotations where the patch adds them", tree: cr, file: "hyperconverged.yaml",
			now:   [2]string{"        name: app\n", "        name: app\n        annotations: {owner: me}\n"},
			fails: "/spec/dataImportCronTemplates/0/metadata/annotations",
		},
		"TemplateBefore": {
			reason: "the index of the patched template is another one", tree: cr, file: "hyperconverged.yaml",
			now:   [2]string{"    - metadata:\n", "    - metadata: {name: tool}\n    - metadata:\n"},
			fails: "/spec/dataImportCronTemplates/0/metadata/name",
		},
		"Pods": {
			reason: "the build has the decisions", tree: pods, file: "web.yaml",
			has: []string{"goldenarch.dev/node-affinity: amd64\n", "goldenarch.dev/node-affinity: amd64,arm64 terms "},
		},
		"ListOfTerms": {
			reason: "the base gains the list that the patch adds", tree: pods, file: "web.yaml",
			now: [2]string{"      containers:\n", "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
				"{nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: Exists}]}]}}}\n      containers:\n"},
			fails: "/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms",
		},
		"AnotherTerm": {
			reason: "the base gains a term in the list that the patch changes", tree: pods, file: "both.yaml",
			now:   [2]string{"            nodeSelectorTerms:\n", "            nodeSelectorTerms:\n            - {matchExpressions: [{key: gpu, operator: Exists}]}\n"},
			fails: "/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms",
		},
		"AnotherAffinity": {
			reason: "the base gains a key in a mapping that the patch adds", tree: pods, file: "web.yaml",
			now: [2]string{"      containers:\n", "      affinity: {podAntiAffinity: {}}\n      containers:\n"},
			has: []string{"podAntiAffinity: {}\n", "key: kubernetes.io/arch\n"},
		},
		"EmptyDir": {
			reason: "the base gains a field without content", tree: pods, file: "web.yaml",
			now: [2]string{"      containers:\n", "      volumes: [{name: tmp, emptyDir: {}}]\n      containers:\n"},
			has: []string{"emptyDir: {}\n", "key: kubernetes.io/arch\n"},
		},
		"PortsOfOneNumber": {
			reason: "a JSON patch alone keeps both ports, and adds the first annotation", tree: pods, file: "web.yaml",
			before: [2]string{"        image:", "        ports: [{name: dns, containerPort: 53, protocol: UDP}, {name: tcp, containerPort: 53}]\n        image:"},
			has:    []string{"name: dns\n", "name: tcp\n", "goldenarch.dev/node-affinity: amd64\n"},
		},
		"PortsAndAnnotations": {
			reason: "the base gains its first annotation, beside the one of that JSON patch", tree: pods, file: "web.yaml",
			before: [2]string{"        image:", "        ports: [{name: dns, containerPort: 53, protocol: UDP}, {name: tcp, containerPort: 53}]\n        image:"},
			now:    [2]string{"metadata: {name: web}", "metadata: {name: web, annotations: {owner: me}}"},
			has:    []string{"owner: me\n", "goldenarch.dev/node-affinity: amd64\n"},
		},
		"CSV": {
			reason: "the build has the decisions, and not the label that no image keeps", tree: csv, file: "operator.clusterserviceversion.yaml",
			has: []string{"  labels:\n    operatorframework.io/arch.amd64: supported\n    operatorframework.io/arch.arm64: supported\n" +
				"    operatorframework.io/os.linux: supported\n  name:"},
		},
		"LabelOfACSV": {
			reason: "the base gains a label", tree: csv, file: "operator.clusterserviceversion.yaml",
			now: [2]string{"  labels:\n", "  labels:\n    owner: me\n"}, has: []string{"owner: me\n", "operatorframework.io/arch.arm64: supported\n"},
		},
		"LabelsOfACSVAreRemoved": {
			reason: "the base loses the label that the patch removes", tree: csv, file: "operator.clusterserviceversion.yaml",
			now: [2]string{"    operatorframework.io/arch.s390x: supported #", "    other: label #"}, fails: "/metadata/labels/operatorframework.io~1arch.s390x",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, "internal/cli/testdata/fix/"+tc.tree+"/tree")
			if tc.tree == cr {
				shared := tree(t, filepath.Join(repository(t), "internal/cli/testdata/shared/fix"))["golden-images.yaml"]
				write(t, filepath.Join(dir, "overlays/prod/golden-images.yaml"), shared)
			}
			base, overlay := filepath.Join(dir, "base", tc.file), filepath.Join(dir, "overlays/prod")
			if tc.before[0] != "" {
				replaceIn(t, base, tc.before[0], tc.before[1])
			}
			in := r
			in.dir = dir
			if got := in.run(t, goldenarch, "fix", "overlays/prod", "--patch", "--offline", "--workloads", "Affinity"); got.status != 0 {
				t.Fatalf("%+v", got)
			}
			if tc.now[0] != "" {
				replaceIn(t, base, tc.now[0], tc.now[1])
			}
			for version, kustomize := range programs {
				got := r.run(t, kustomize, "build", overlay)
				if failed := got.status != 0; failed != (tc.fails != "") || !strings.Contains(got.stderr, tc.fails) {
					t.Errorf("%s: %s: want an error about %q, got %+v", version, tc.reason, tc.fails, got)
				}
				for _, part := range tc.has {
					if !strings.Contains(got.stdout, part) {
						t.Errorf("%s: %s: the build has no %q:\n%s", version, tc.reason, part, got.stdout)
					}
				}
			}
		})
	}
}
