package hyperconverged

import (
	"strings"
	"testing"
)

// TestSchema is what the API server refuses or drops of a CR.
func TestSchema(t *testing.T) {
	t.Parallel()
	templates := func(list string) string { return "{dataImportCronTemplates: [" + list + "]}" }
	source := func(source string) string {
		return templates(`{metadata: {name: a}, spec: {managedDataSource: d, schedule: "", template: {spec: {source: ` + source + `}}}}`)
	}
	for _, tc := range []struct {
		reason string
		spec   string
		want   string
	}{
		{
			reason: "a spec has managedDataSource, schedule and template",
			spec:   templates("{metadata: {name: a}, spec: {}}"),
			want:   "error GA411 [0].spec.managedDataSource, error GA411 [0].spec.schedule, error GA411 [0].spec.template",
		},
		{"a template has a spec", templates(`{spec: {managedDataSource: d, schedule: "", template: {}}}`), "error GA411 [0].spec.template.spec"},
		{"null is not there", templates(`{spec: {managedDataSource: null, schedule: "", template: {spec: {}}}}`), "error GA411 [0].spec.managedDataSource"},
		{"an empty schedule is there: HCO fills it", templates(named("fedora-image-cron", fedoraSpec)), ""},
		{"an entry without a spec needs none of it", templates("{metadata: {name: a}}, {}, null"), ""},
		{"http has a url", source("{http: {}}"), "error GA411 [0].spec.template.spec.source.http.url"},
		{
			reason: "pvc has name and namespace",
			spec:   source("{pvc: {}}"),
			want:   "error GA411 [0].spec.template.spec.source.pvc.name, error GA411 [0].spec.template.spec.source.pvc.namespace",
		},
		{"registry needs nothing", source("{registry: {}}"), ""},
		{"a field that a template does not have", templates("{metadata: {name: a}, stray: 1}"), "warning GA402 [0].stray"},
		{"metadata written too far left", templates("{name: a, annotations: {a: b}}"), "warning GA402 [0].annotations, warning GA402 [0].name"},
		{"metadata that the CRD prunes", templates("{metadata: {name: a, uid: x}}"), "warning GA402 [0].metadata.uid"},
		{"what tools leave behind", templates("{metadata: {name: a, creationTimestamp: null}}"), ""},
		{"keys are compared with case", templates(`{metadata: {name: a}, Spec: {}}`), "warning GA402 [0].Spec"},
		{"a name is a string", templates("{metadata: {name: 1}}"), "error GA411 [0].metadata.name"},
		{
			reason: "an annotation is a string",
			spec:   templates("{metadata: {name: a, annotations: {b: true, a: 1, c: null}}}"),
			want:   "error GA411 [0].metadata.annotations[a], error GA411 [0].metadata.annotations[b]",
		},
		{"a label is a string", templates("{metadata: {name: a, labels: {b: 1.5}}}"), "error GA411 [0].metadata.labels[b]"},
		{"the templates are a list", "{dataImportCronTemplates: {}}", "error GA411 "},
		{"a template is an object", templates("a"), "error GA411 [0]"},
		{"the spec is an object", "[]", "error GA411 spec"},
		{"feature gates of v1 are none of v1beta1", "{featureGates: [{name: a}]}", "error GA411 spec.featureGates"},
		{"a bool is a bool", `{enableCommonBootImageImport: "false"}`, "error GA411 spec.enableCommonBootImageImport"},
		{
			reason: "v1's place of the templates and the gate",
			spec:   "{workloadSources: {dataImportCronTemplates: [], enableMultiArchBootImageImport: false}}",
			want:   "error GA402 spec.workloadSources.dataImportCronTemplates, error GA402 spec.workloadSources.enableMultiArchBootImageImport",
		},
		{
			reason: "v1's place of the placement",
			spec:   "{deployment: {nodePlacements: {workload: {}, infra: {}}}}",
			want:   "error GA402 spec.deployment.nodePlacements.workload, error GA402 spec.deployment.nodePlacements.infra",
		},
		{
			reason: "v1's place of the rest",
			spec:   "{workloadSources: {enableCommonBootImageImport: true, commonBootImageNamespace: a}}",
			want:   "error GA402 spec.workloadSources.enableCommonBootImageImport, error GA402 spec.workloadSources.commonBootImageNamespace",
		},
		{"no spec", "null", ""},
	} {
		cr, found := parseYAML(t, V1beta1, tc.spec)
		if got := messages(found); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
		if cr == nil && !found.Failed() {
			t.Errorf("%s: nothing was made of the CR, and that is no error", tc.reason)
		}
	}
}

// TestSchemaV1: v1beta1's places are none of v1.
func TestSchemaV1(t *testing.T) {
	t.Parallel()
	_, found := parseYAML(t, V1,
		"{dataImportCronTemplates: [], enableCommonBootImageImport: true, commonBootImageNamespace: a, workloads: {nodePlacement: {}}, infra: {nodePlacement: {}}}")
	if got := strings.Count(messages(found), "error GA402"); got != 5 || len(found) != 5 {
		t.Errorf("want five misplaced fields, got %s", found)
	}
	for _, spec := range []string{"{featureGates: {enableMultiArchBootImageImport: true}}", "{featureGates: [a]}", "{featureGates: [{name: a, state: true}]}"} {
		if cr, found := parseYAML(t, V1, spec); cr != nil || !found.Failed() {
			t.Errorf("the API server refuses %s, got %s", spec, found)
		}
	}
}

func TestAPIVersion(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		`{}`, `{"apiVersion":"hco.kubevirt.io/v1alpha1"}`, `{"apiVersion":"v1"}`, `{"apiVersion":"hco.kubevirt.io/"}`, `{"apiVersion":"hco.kubevirt.io/v1/x"}`,
	} {
		if cr, found := Parse([]byte(data)); cr != nil || messages(found) != "error GA401 apiVersion" {
			t.Errorf("%s is no version that is known: %s", data, found)
		}
	}
	for data, field := range map[string]string{
		`[]`: "", `1`: "", `{"apiVersion":1}`: "apiVersion", `{"metadata":{"name":[]}}`: "metadata.name",
		`{"metadata":{"annotations":{"a":1}}}`: "metadata.annotations[a]",
	} {
		if cr, found := Parse([]byte(data)); cr != nil || messages(found) != "error GA411 "+field {
			t.Errorf("%s is refused by the API server: %s", data, found)
		}
	}
}

// TestSchemaWords: what is wrong is reported in the words of YAML, and where the
// user has it.
func TestSchemaWords(t *testing.T) {
	t.Parallel()
	const refused = "the API server would refuse the CR: "
	for _, tc := range []struct {
		version    Version
		spec, want string
	}{
		{V1beta1, "[]", "spec is a list, expected an object. Correct the value"},
		{V1beta1, "{dataImportCronTemplates: {}}", "spec.dataImportCronTemplates is an object, expected a list. Correct the value"},
		{
			version: V1beta1,
			spec:    `{enableCommonBootImageImport: "false"}`,
			want:    `spec.enableCommonBootImageImport is the string "false", expected true or false. Write it without quotes: false`,
		},
		{V1beta1, "{commonBootImageNamespace: 1}", `spec.commonBootImageNamespace is the number 1, expected a string. Write it in quotes`},
		{
			version: V1beta1,
			spec:    "{workloads: {nodePlacement: {nodeSelector: {a.b/c: true}}}}",
			want:    `spec.workloads.nodePlacement.nodeSelector[a.b/c] is the bool true, expected a string. Write it in quotes: "true"`,
		},
		{
			version: V1beta1,
			spec:    "{dataImportCronTemplates: [{}, {metadata: {annotations: {a: {b: c}}}}]}",
			want:    "spec.dataImportCronTemplates[1].metadata.annotations[a] is an object, expected a string. Correct the value",
		},
		{
			version: V1beta1,
			spec:    "{dataImportCronTemplates: [{spec: {importsToKeep: 1.5}}]}",
			want:    "spec.dataImportCronTemplates[0].spec.importsToKeep is the number 1.5, expected a whole number. Correct the value",
		},
		{V1, "{workloadSources: []}", "spec.workloadSources is a list, expected an object. Correct the value"},
		{V1, "{workloadSources: {dataImportCronTemplates: a}}", `spec.workloadSources.dataImportCronTemplates is the string "a", expected a list. Correct the value`},
		{V1, "{featureGates: [{name: a}, b]}", `spec.featureGates[1] is the string "b", expected an object. Correct the value`},
	} {
		_, found := parseYAML(t, tc.version, tc.spec)
		if len(found) != 1 || found[0].Message() != refused+tc.want {
			t.Errorf("%s: want %q, got %s", tc.spec, refused+tc.want, found)
		}
	}
	_, found := parseYAML(t, V1beta1, `{featureGates: {enableMultiArchBootImageImport: '{{hub index .ManagedClusterLabels "a" | toBool hub}}'}}`)
	const templated = "a template gives spec.featureGates.enableMultiArchBootImageImport ({{ or {%), so goldenarch does not know the value"
	if len(found) != 1 || found[0].Text != templated {
		t.Errorf("a template of a policy: want %q, got %s", templated, found)
	}
	_, found = parseYAML(t, V1beta1, "{infra: 1, workloads: a, dataImportCronTemplates: {}}")
	if len(found) != 3 {
		t.Errorf("all that is wrong is told at once, got %s", found)
	}
}
