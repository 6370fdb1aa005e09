package cli

import (
	"slices"
	"strings"
	"testing"
)

// TestFixOfWhatIsValid: valid YAML in an unusual form is edited, line by line, and a second run
// changes nothing. What is not valid is named with its line.
func TestFixOfWhatIsValid(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\n"
	const named = "  name: kubevirt-hyperconverged\n  namespace: kubevirt-hyperconverged\n"
	const cr = head + "metadata:\n" + named + "spec: {}\n"
	const gate = "enableMultiArchBootImageImport: true"
	indented := func(text, by string) string {
		return by + strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\n"+by), by)
	}
	const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hco\ndata:\n  cr: |\n"
	const set = "apiVersion: addons.cluster.x-k8s.io/v1beta1\nkind: ClusterResourceSet\nmetadata: {name: hco}\n" +
		"spec: {clusterSelector: {matchLabels: {a: b}}, resources: [{kind: ConfigMap, name: hco}]}\n"
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		path   string // of fix; "" is hco.yaml
		in     string // the file that changes; "" is the path
		lost   int    // lines that go
		want   string // in the messages; then it is an error
	}{
		"BracesInAString": {
			reason: "{{ in a string is text",
			files:  map[string]string{"hco.yaml": head + "metadata:\n  annotations:\n    a: 'show {{ .x }}'\n" + named + "spec: {}\n"}, lost: 1,
		},
		"BracesInAPlainScalar": {
			reason: "{{ inside a plain scalar is text",
			files:  map[string]string{"hco.yaml": head + "metadata:\n  annotations:\n    a: show {{ .x }}\n" + named + "spec: {}\n"}, lost: 1,
		},
		"BracesInABrokenFile": {
			reason: "broken YAML says where, whatever its comments have",
			files:  map[string]string{"hco.yaml": "# made from {{ .Values }}\n" + head + "metadata:\n" + named + "spec: [\n"}, want: "line 7",
		},
		"CommentAfterAnchor": {
			reason: "a comment follows an anchor", lost: 1,
			files: map[string]string{"hco.yaml": head + "metadata: &m # ours\n" + named + "spec: &s # more\n  infra: &i {}\n"},
		},
		"BracketsWithoutComma": {
			reason: "the last row in brackets has a comment and no comma", lost: 1,
			files: map[string]string{"hco.yaml": head + "metadata:\n" + named + "spec: {\n  featureGates: {\n" +
				"    downwardMetrics: true, # one\n    alignCPUs: false # two\n  }\n}\n"},
		},
		"BlockHeader": {
			reason: "a block's header has a tab and a + in its comment",
			files: map[string]string{
				"hco.yaml": head + "metadata:\n  annotations:\n    a: |\t# + two\n      x\n    b: >-\t# |+\n      y\n" + named + "spec:\n  infra: {}\n",
			},
		},
		"CarriageReturns": {
			reason: "lines end with CR alone", lost: 1,
			files: map[string]string{"hco.yaml": strings.ReplaceAll("%YAML 1.2\n---\n"+cr, "\n", "\r")},
		},
		"ListAsResource": {
			reason: "a resource of a kustomization is a List", path: "over", in: "over/list.yaml",
			files: map[string]string{
				"over/kustomization.yaml": "resources: [list.yaml]\n",
				"over/list.yaml": "apiVersion: v1\nkind: List\nitems: # all\n- " +
					strings.TrimPrefix(indented(strings.Replace(cr, " {}", "\n  infra: {}", 1), "  "), "  "),
			},
		},
		"NullInAPatch": {
			reason: "a patch removes a field with null", path: "over", in: "base/hco.yaml",
			files: map[string]string{
				"base/kustomization.yaml": "resources: [hco.yaml]\n",
				"base/hco.yaml":           head + "metadata:\n" + named + "spec:\n  infra: {}\n  workloads: {nodePlacement: {nodeSelector: {a: b}}}\n",
				"over/kustomization.yaml": "resources: [../base]\npatches:\n- path: patch.yaml\n",
				"over/patch.yaml":         head + "metadata:\n" + named + "spec:\n  workloads: null # all nodes\n",
			},
		},
		"NullOfTheFieldInAPatch": {
			reason: "a patch removes the field that must change", path: "over", in: "over/patch.yaml", lost: 1,
			files: map[string]string{
				"base/kustomization.yaml": "resources: [hco.yaml]\n",
				"base/hco.yaml":           head + "metadata:\n" + named + "spec:\n  infra: {}\n  featureGates: {downwardMetrics: true}\n",
				"over/kustomization.yaml": "resources: [../base]\npatches:\n- path: patch.yaml\n",
				"over/patch.yaml":         head + "metadata:\n" + named + "spec:\n  featureGates: null # none\n",
			},
		},
		"ConfigMapOfAnotherDirectory": {
			reason: "a ClusterResourceSet applies the ConfigMap of another directory", path: "over", in: "base/cm.yaml", lost: 1,
			files: map[string]string{
				"base/kustomization.yaml": "resources: [cm.yaml]\n", "base/cm.yaml": configMap + indented(cr, "    "),
				"over/kustomization.yaml": "resources: [../base, set.yaml]\n", "over/set.yaml": set,
			},
		},
		"PlainConfigMapOfAnotherDirectory": {
			reason: "the same without a kustomization", path: ".", in: "base/cm.yaml", lost: 1,
			files: map[string]string{"base/cm.yaml": configMap + indented(cr, "    "), "over/set.yaml": set},
		},
		"GeneratedConfigMap": {
			reason: "a generator makes the ConfigMap", path: "over", want: "GA802",
			files: map[string]string{
				"over/kustomization.yaml": "resources: [set.yaml]\nconfigMapGenerator:\n- {name: hco, files: [cr=cr/hco.yaml]}\n" +
					"generatorOptions: {disableNameSuffixHash: true}\n",
				"over/cr/hco.yaml": cr, "over/set.yaml": set,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, tc.files)
			git(t, dir, "", "init", "-q")
			path := tc.path
			if path == "" {
				path = "hco.yaml"
			}
			in := tc.in
			if in == "" {
				in = path
			}
			before := filesBelow(t, dir)
			flags := []string{"--offline", "--workload-architectures", "amd64,arm64", "--set", "predefined=none", "--release", "1.19"}
			_, messages, status := runIn(t, dir, append([]string{"fix", path}, flags...)...)
			after := filesBelow(t, dir)
			changed := changedIn(before, after)
			if tc.want != "" {
				if status != statusFailed || len(changed) > 0 || !strings.Contains(messages, tc.want) {
					t.Fatalf("%s: status %d, changed %v, want %q\n%s", tc.reason, status, changed, tc.want, messages)
				}
				return
			}
			if status != statusOK || !slices.Contains(changed, in) {
				t.Fatalf("%s: status %d, changed %v, want %s\n%s", tc.reason, status, changed, in, messages)
			}
			lines := strings.FieldsFunc(after[in], func(r rune) bool { return r == '\r' || r == '\n' })
			lost := 0
			for _, line := range strings.FieldsFunc(before[in], func(r rune) bool { return r == '\r' || r == '\n' }) {
				if !slices.Contains(lines, line) {
					lost++
				}
			}
			if lost > tc.lost || !strings.Contains(after[in], gate) {
				t.Errorf("%s: %d lines are lost, want %d:\n%s", tc.reason, lost, tc.lost, after[in])
			}
			succeeds(t, dir, append([]string{"fix", "--check", path}, flags...)...)
		})
	}
}
