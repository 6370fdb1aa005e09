package unread

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const cr = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec: {}\n"

// indented returns a text with blanks before each line.
func indented(text string, by int) string {
	pad := strings.Repeat(" ", by)
	return pad + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+pad) + "\n"
}

func inBase64(before int, text string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("#", before) + "\n" + text))
}

// utf16 returns a text as UTF-16 with a byte order mark.
func utf16(text string) string {
	out := []byte{0xff, 0xfe}
	for _, b := range []byte(text) {
		out = append(out, b, 0)
	}
	return string(out)
}

// TestMayHold: a file that holds a CR in any form is looked at, and few others are.
func TestMayHold(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"as it is", cr, true},
		{"the templates alone", "virt: {dataImportCronTemplates: [{}]}", true},
		{"a variable in the place of the kind", "apiVersion: hco.kubevirt.io/v1\nkind: ${KIND}\n", true},
		{"UTF-16", utf16(cr), true},
		{"an escape of YAML", `kind: "\x48yperConverged"`, true},
		{"an escape of JSON", `{"kind": "Hyper\u0043onverged"}`, true},
		{"a long escape", `kind: "Hyper\U00000043onverged"`, true},
		{"a text in two lines", "kind: \"Hyper\\\n  Converged\"", true},
		{"base64", inBase64(0, cr), true},
		{"base64, one byte later", inBase64(1, cr), true},
		{"base64, two bytes later", inBase64(2, cr), true},
		{"base64 of a Secret in lines", "kind: Secret\ndata:\n  a: |\n" + strings.Join(strings.SplitAfter(inBase64(0, cr), "XB"), "\n    "), true},
		{"an escape of something else", `{"a": "\u003cHyper\u003e"}`, false},
		{"a mention of the group", "apiGroups: [hco.kubevirt.io]", false},
		{"a mention of the name", "name: kubevirt-hyperconverged", false},
		{"nothing", "", false},
	} {
		if got := MayHold([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: got %t", tc.reason, got)
		}
	}
}

// shown returns what a test compares of hits: sample, what, line, path, and the place for --cr-path.
func shown(hits []Hit) []string {
	short := map[What]string{CR: "CR", Templates: "templates", Machine: "machine", Pods: "pods"}
	var out []string
	for _, hit := range hits {
		text := fmt.Sprintf("%s %d %s", short[hit.What], hit.Line, hit.Path)
		if hit.Sample {
			text = "sample " + text
		}
		if hit.Place != "" {
			text += " " + hit.Place
		}
		out = append(out, text)
	}
	return out
}

func TestInManifests(t *testing.T) {
	t.Parallel()
	const templates = "dataImportCronTemplates: [{metadata: {name: a}}]\n"
	for _, tc := range []struct {
		reason, text string
		want         []string
	}{
		{"a document", "a: b\n---\n" + cr, []string{"CR 3 "}},
		{
			"a task of Ansible", "- hosts: a\n  tasks:\n  - kubernetes.core.k8s:\n      definition:\n" + indented(cr, 8),
			[]string{`CR 5 [0].tasks[0][kubernetes.core.k8s].definition [0].tasks[0]["kubernetes.core.k8s"].definition`},
		},
		{
			"a task that says group and kind itself", "- k8s: {api_version: hco.kubevirt.io/v1beta1, kind: HyperConverged, definition: {spec: {}}}\n",
			[]string{"CR 1 [0].k8s [0].k8s"},
		},
		{"a task that only asks", "- k8s_info: {api_version: hco.kubevirt.io/v1beta1, kind: HyperConverged, name: a}\n", nil},
		{
			"a definition as a text", "- k8s:\n    definition: |\n" + indented(cr, 6), []string{"CR 3 [0].k8s.definition"},
		},
		{"a variable of Ansible", "virt:\n  extra:\n    hco:\n" + indented(cr, 6), []string{"CR 4 virt.extra.hco virt.extra.hco"}},
		{"in a kind that nobody knows", "apiVersion: e.com/v1\nkind: Object\nspec:\n" +
			"  manifest:\n" + indented(cr, 4), []string{"CR 5 spec.manifest spec.manifest"}},
		{"nothing but its head", "a: {apiVersion: hco.kubevirt.io/v1, kind: HyperConverged}\n", []string{"CR 1 a a"}},
		{"a variable of Flux as the kind", strings.Replace(cr, "kind: HyperConverged", "kind: ${KIND}", 1), []string{"CR 1 "}},
		{"one with a default", strings.Replace(cr, "kind: HyperConverged", "kind: ${KIND:=HyperConverged}", 1), []string{"CR 1 "}},
		{"a variable as the group", strings.Replace(cr, "hco.kubevirt.io/v1beta1", "${GROUP}/v1", 1), []string{"CR 1 "}},
		{"an escape", strings.Replace(cr, "HyperConverged", `"\x48yper\u0043onverged"`, 1), []string{"CR 1 "}},
		{"a kind in base64", strings.Replace(cr, "HyperConverged", "!!binary SHlwZXJDb252ZXJnZWQ=", 1), []string{"CR 1 "}},
		{"UTF-16", utf16(cr), []string{"CR 1 "}},
		{"a merge key", "x: &x {apiVersion: hco.kubevirt.io/v1, kind: HyperConverged, spec: {}}\ny: {<<: *x}\n", []string{"CR 1 x x", "CR 2 y y"}},
		{"JSON", `{"a": [{"apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged", "spec": {}}]}`, []string{"CR 1 a[0] a[0]"}},
		{"a ConfigMap", "apiVersion: v1\nkind: ConfigMap\ndata:\n  hco.yaml: |\n" + indented(cr, 4), []string{"CR 5 data[hco.yaml]"}},
		{"a template in one", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    {{ if x }}\n" + indented(cr, 4), []string{"CR 7 data.a"}},
		{"a script in one", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    #!/bin/sh\n" +
			"    oc apply -f - <<EOF\n" + indented(cr, 4) + "    EOF\n", []string{
			"sample CR 8 data.a",
		}},
		{"a page in one", "apiVersion: v1\nkind: ConfigMap\ndata:\n  README.md: |\n" + indented(cr, 4), nil},
		{"values in one", "apiVersion: v1\nkind: ConfigMap\ndata:\n  values.yaml: |\n    virt:\n" +
			"      " + templates, []string{"templates 6 data[values.yaml]"}},
		{"a Secret", "apiVersion: v1\nkind: Secret\ndata: {a: " + inBase64(0, cr) + "}\n", []string{"CR 3 data.a"}},
		{"one with plain texts", "apiVersion: v1\nkind: Secret\nstringData:\n  a: |\n" + indented(cr, 4), []string{"CR 5 stringData.a"}},
		{"bytes of a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nbinaryData: {a: " + inBase64(2, cr) + "}\n", []string{"CR 3 binaryData.a"}},
		{
			"templates of a policy", "apiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\nspec:\n  object-templates-raw: |\n" +
				"    {{ range x }}\n    - complianceType: musthave\n      objectDefinition:\n" + indented(cr, 8), []string{"CR 9 spec.object-templates-raw"},
		},
		{"values", "virt:\n  spec:\n    " + templates, []string{"templates 3 virt.spec.dataImportCronTemplates virt.spec@v1beta1"}},
		{"values of v1", "virt: {workloadSources: {dataImportCronTemplates: [{}]}}\n", []string{
			"templates 1 virt.workloadSources.dataImportCronTemplates virt@v1",
		}},
		{"values that are the spec", templates, []string{"templates 1 dataImportCronTemplates"}},
		{"values of an Application", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {source: {helm: {valuesObject: {a: " +
			"{dataImportCronTemplates: [{}]}}}}}\n", []string{
			"templates 3 spec.source.helm.valuesObject.a.dataImportCronTemplates spec.source.helm.valuesObject.a@v1beta1",
		}},
		{"no templates", "virt: {dataImportCronTemplates: []}\n", nil},
		{"templates of SSP", "apiVersion: ssp.kubevirt.io/v1beta2\nkind: SSP\nspec: {commonTemplates: {dataImportCronTemplates: [{}]}}\n", nil},
		{
			"a pipeline", "apiVersion: tekton.dev/v1\nkind: Task\nspec:\n  steps:\n  - script: |\n      cat <<EOF\n" + indented(cr, 6) + "      EOF\n",
			[]string{"sample CR 8 spec.steps[0].script"},
		},
		{"a workflow", "jobs:\n  a:\n    steps:\n    - run: |\n        oc apply -f - <<EOF\n" + indented(cr, 8) + "        EOF\n", []string{
			"sample CR 7 jobs.a.steps[0].run",
		}},
		{
			"examples of an operator", "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  annotations:\n" +
				"    alm-examples: |\n" +
				`      [{"apiVersion": "hco.kubevirt.io/v1beta1", "kind": "HyperConverged", "spec": {}}]` + "\n",
			[]string{"sample CR 6 metadata.annotations.alm-examples"},
		},
		{
			"a catalog of operators", "schema: olm.bundle\nproperties:\n- value:\n    annotations:\n      alm-examples: '" +
				`[{"apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged", "spec": {}}]` + "'\n",
			[]string{"sample CR 5 properties[0].value.annotations.alm-examples"},
		},
		{"a template of Helm", "{{- if .Values.x }}\n" + cr + "{{- end }}\n", []string{"CR 3 "}},
		{"what is no YAML", "a: [\n" + cr, []string{"CR 3 "}},
		{"a schema", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {names: {kind: HyperConverged}, a: " +
			"{dataImportCronTemplates: {type: array}}}\n", nil},
		{"roles", "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nrules: [{apiGroups: [hco.kubevirt.io], resources: " +
			"[hyperconvergeds]}]\n", nil},
		{"a rule", "apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nspec: {groups: [{rules: [{expr: 'x{kind=\"HyperConverged\"}'}]}]}\n", nil},
		{"a dashboard", `{"panels": [{"title": "HyperConverged", "expr": "kubevirt_hco_x{kind=\"HyperConverged\"}"}]}`, nil},
		{
			"ignored differences",
			"apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {ignoreDifferences: [{group: hco.kubevirt.io, kind: HyperConverged, " +
				"jsonPointers: [/spec]}]}\n", nil,
		},
		{"a whitelist", "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nspec: {namespaceResourceWhitelist: [{group: hco.kubevirt.io, kind: " +
			"HyperConverged}]}\n", nil},
		{"a health check", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec:\n  healthChecks:\n  - apiVersion: " +
			"hco.kubevirt.io/v1beta1\n" +
			"    kind: HyperConverged\n    name: kubevirt-hyperconverged\n    namespace: openshift-cnv\n", nil},
		{
			"a patch of what applies it", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec:\n  patches:\n  - patch: " +
				"|\n" + indented(cr, 6), nil,
		},
		{"a file name", "resources: [HyperConverged.yaml]\n", nil},
		{"a comment", "# apiVersion: hco.kubevirt.io/v1beta1\n# kind: HyperConverged\na: b\n", nil},
		{"the last applied configuration", "apiVersion: v1\nkind: A\nmetadata:\n  annotations:\n    last: |\n" + indented(cr, 6), nil},
		{"an endless object", "a: &a\n  b: *a\n  c: HyperConverged\n", nil},
		{"prose", "a: A HyperConverged object configures the operator.\n", nil},
	} {
		if diff := cmp.Diff(tc.want, shown(InManifests([]byte(tc.text), Want{}, false))); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", tc.reason, diff, tc.text)
		}
	}
}

// TestWanted: machines and pods are found where somebody asks for them, in the same forms.
func TestWanted(t *testing.T) {
	t.Parallel()
	const (
		machine = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec: {}\n"
		pods    = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a, image: a.b/c}]}}}\n"
	)
	for _, tc := range []struct {
		reason, text string
		want         []string
	}{
		{"in Ansible", "- k8s:\n    definition:\n" + indented(machine, 6) + "- k8s:\n    definition:\n" + indented(pods, 6), []string{
			"machine 3 [0].k8s.definition", "pods 9 [1].k8s.definition",
		}},
		{"templates", "{{ x }}:\n---\n" + machine + "{{ if x }}\n---\n" + pods + "{{ if x }}\n", []string{"machine 4 ", "pods 10 "}},
		{"references", "a: {apiVersion: kubevirt.io/v1, kind: VirtualMachine, name: a}\nb: {apiVersion: apps/v1, kind: Deployment, name: containers}\n", nil},
		{"no pods", "a: {apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {containers: []}}}}\n", nil},
	} {
		if diff := cmp.Diff(tc.want, shown(InManifests([]byte(tc.text), Want{Machines: true, Pods: true}, false))); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", tc.reason, diff, tc.text)
		}
		if hits := InManifests([]byte(tc.text), Want{}, false); len(hits) > 0 {
			t.Errorf("%s, not asked for: %v", tc.reason, hits)
		}
	}
}

// TestObjectsRead: of a file that the run has read, only what is no object counts.
func TestObjectsRead(t *testing.T) {
	t.Parallel()
	got := shown(InManifests([]byte(cr+"---\n- a:\n"+indented(cr, 4)), Want{}, true))
	if diff := cmp.Diff([]string{"CR 7 [0].a [0].a"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestInTemplate(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		line         int
	}{
		{"Terraform", "resource \"kubernetes_manifest\" \"hco\" {\n  manifest = {\n    \"apiVersion\" = \"hco.kubevirt.io/v1beta1\"\n" +
			"    \"kind\"       = \"HyperConverged\"\n    spec = {}\n  }\n}\n", 4},
		{"a text in Terraform", "resource \"kubectl_manifest\" \"hco\" {\n  yaml_body = <<YAML\n" + indented(cr, 4) + "YAML\n}\n", 4},
		{"Terraform that asks", "data \"kubernetes_resource\" \"hco\" {\n  api_version = \"hco.kubevirt.io/v1beta1\"\n  kind = \"HyperConverged\"\n}\n", 0},
		{"CUE", "hco: {\n\tapiVersion: \"hco.kubevirt.io/v1beta1\"\n\tkind: \"HyperConverged\"\n\tmetadata: name: \"a\"\n}\n", 3},
		{"Jsonnet", "{\n  apiVersion: 'hco.kubevirt.io/v1beta1',\n  kind: 'HyperConverged',\n  spec+: {},\n}\n", 3},
		{"Jinja", "{% if x %}\n" + cr + "{% endif %}\n", 3},
		{"a group that the engine gives", "apiVersion: {{ group }}/v1\nkind: HyperConverged\nspec: {{ spec }}\n", 2},
		{"a kind that it gives", "apiVersion: hco.kubevirt.io/v1\nkind: {{ kind }}\nspec: {{ spec }}\n", 2},
		{"in one line", `{"kind": "HyperConverged", "apiVersion": "hco.kubevirt.io/v1", "spec": {{ x }}}`, 1},
		{"in a text with quotes", `body = "{\"apiVersion\":\"hco.kubevirt.io/v1\",\"kind\":\"HyperConverged\",\"spec\":{}}"`, 1},
		{"escapes", "{{ x }}\napiVersion: hco.kubevirt.io/v1\nkind: \"\\x48yperConverged\"\n", 3},
		{"UTF-16", utf16("{{ x }}\n" + cr), 3},
		{"a reference", "healthChecks:\n- apiVersion: hco.kubevirt.io/v1\n  kind: HyperConverged\n  name: {{ x }}\n", 0},
		{"roles", "{{ x }}\nrules:\n- apiGroups: [hco.kubevirt.io]\n  resources: [hyperconvergeds]\nkind: ClusterRole\napiVersion: " +
			"rbac.authorization.k8s.io/v1\n", 0},
		{"ignored differences", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  ignoreDifferences:\n  - group: hco.kubevirt.io\n" +
			"    kind: HyperConverged\n", 0},
		{"comments", "# apiVersion: hco.kubevirt.io/v1\n# kind: HyperConverged\n// kind: HyperConverged\n{{/* kind: HyperConverged */}}\n{{ x }}\n", 0},
		{"another object of the same file", "apiVersion: hco.kubevirt.io/v1\nkind: Other\n---\napiVersion: v1\nkind: HyperConverged\n", 0},
		{"prose", "The kind HyperConverged is in hco.kubevirt.io/v1beta1.\n", 0},
	} {
		line := 0
		if hits := InTemplate([]byte(tc.text), Want{}); len(hits) > 0 {
			line = hits[0].Line
		}
		if line != tc.line {
			t.Errorf("%s: want line %d, got %d\n%s", tc.reason, tc.line, line, tc.text)
		}
	}
}

// TestInObject: what goldenarch reads of an object is no hit.
func TestInObject(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         []string
	}{
		{"a CR", cr, nil},
		{"in a wrapper", "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nspec: {workload: {manifests: [{apiVersion: " +
			"hco.kubevirt.io/v1, kind: HyperConverged}]}}\n", nil},
		{"elsewhere in it", "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nspec: {other: {apiVersion: hco.kubevirt.io/v1, " +
			"kind: HyperConverged}}\n", []string{
			"CR 3 spec.other spec.other",
		}},
		{
			"behind a merge key", "apiVersion: v1\nkind: ConfigMap\ndata:\n  <<: &a\n    hco: \"apiVersion: hco.kubevirt.io/v1beta1\\nkind: " +
				"HyperConverged\\n\"\n",
			[]string{"CR 5 data.hco"},
		},
		{"a schema", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {a: {apiVersion: hco.kubevirt.io/v1, kind: " +
			"HyperConverged}}\n", nil},
	} {
		n := yaml.MustParse(tc.text)
		if diff := cmp.Diff(tc.want, shown(InObject(n.GetApiVersion(), n.GetKind(), n.YNode()))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}
