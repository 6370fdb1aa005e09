package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// finished are kustomizations that list goldenarch, and ask for something that
// kustomize does when the last transformer has run: to what goldenarch emits as
// well.
func finished(t *testing.T) map[string]map[string]string {
	t.Helper()
	dir := goldenOf(t, "../../fn/testdata/golden/expand-later-run-updates-in-place")
	cr, _, _ := strings.Cut(dir.input, "---\n")
	config := strings.Replace(dir.config, "metadata:\n", "metadata:\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: goldenarch}\n", 1)
	const resources, all = "resources: [hco.yaml, map.yaml, namespace.yaml]\n", "buildMetadata: [managedByLabel, originAnnotations, transformerAnnotations]\n"
	situations := map[string]map[string]string{
		"Component": {
			"top/kustomization.yaml": resources + all + "components: [../part]\n",
			"part/Kustomization":     "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [config.yaml]\n", "part/config.yaml": config,
		},
		"Directory": {
			"top/kustomization.yaml":    resources + all + "namePrefix: kubevirt-\ntransformers: [../config]\n",
			"top/hco.yaml":              strings.Replace(cr, "name: kubevirt-hyperconverged", "name: hyperconverged", 1),
			"config/kustomization.yaml": "resources: [below/config.yaml]\nnameSuffix: -x\nbuildMetadata: [managedByLabel]\n", "config/below/config.yaml": config,
		},
		"InlineConfig": {
			"top/kustomization.yml": resources + all + "transformers:\n- |\n  " + strings.ReplaceAll(config, "\n", "\n  "),
		},
		"ListedAndAResource": {
			"top/kustomization.yaml": "resources: [hco.yaml, map.yaml, namespace.yaml, config.yaml]\ntransformers: [config.yaml]\n", "top/config.yaml": config,
		},
		"ConfigMap": {
			"top/kustomization.yaml": strings.Replace(resources, "map.yaml", "map.yaml, nodes.yaml", 1) + all + "transformers: [options.yaml]\n",
			"top/hco.yaml":           emptyCR,
			"top/nodes.yaml": `apiVersion: goldenarch.dev/v1alpha1
kind: ClusterArchitectures
metadata: {name: nodes}
spec: {workload: [amd64, arm64], controlPlane: [amd64]}
`,
			"top/options.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: options
  annotations:
    config.kubernetes.io/function: |
      exec: {path: goldenarch}
data: {predefined: none, release: "1.19"}
`,
		},
		"TwoTransformers": {
			"top/kustomization.yaml": resources + all + "transformers: [label.yaml, config.yaml]\n", "top/config.yaml": config,
			"top/label.yaml": "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {a: b}\nfieldSpecs: [{path: metadata/labels, create: true}]\n",
		},
	}
	for _, metadata := range []string{"", "managedByLabel", "originAnnotations", "transformerAnnotations"} {
		for _, order := range []string{"", "{order: fifo}", "{order: legacy}", "{order: legacy, legacySortOptions: {orderFirst: [DataSource]}}"} {
			text := resources + "transformers: [config.yaml]\n"
			if metadata != "" {
				text += "buildMetadata: [" + metadata + "]\n"
			}
			if order != "" {
				text += "sortOptions: " + order + "\n"
			}
			situations[fmt.Sprintf("%s %s", metadata, order)] = map[string]string{"top/kustomization.yaml": text, "top/config.yaml": config}
		}
	}
	for _, files := range situations {
		if files["top/hco.yaml"] == "" {
			files["top/hco.yaml"] = cr
		}
		files["top/map.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: zz}\n"
		files["top/namespace.yaml"] = "apiVersion: v1\nkind: Namespace\nmetadata: {name: kubevirt-os-images}\n"
	}
	return situations
}
