package hyperconverged

import (
	"testing"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// TestCustomizeStatedTemplate: a predefined template that a user states need not have any
// annotation.
func TestCustomizeStatedTemplate(t *testing.T) {
	t.Parallel()
	stated := mustParse(t, named("a", goodSpec)).Templates[0].Spec
	table := None().WithStated([]v1alpha1.PredefinedTemplate{{Metadata: &v1alpha1.ObjectMeta{Name: "a"}, Spec: stated}})
	for _, tc := range []struct{ reason, entry, want string }{
		{"an annotation of the CR stays", named("a", goodSpec, "x: z"), "z"},
		{"none stays none", named("a", goodSpec), ""},
	} {
		merged, err := Merge(mustParse(t, tc.entry), table, nil)
		if err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		if got, _ := merged[0].Annotation("x"); len(merged) != 1 || got != tc.want {
			t.Errorf("%s: want %q, got %v", tc.reason, tc.want, merged)
		}
	}
}

// TestLiveTemplateWithoutSpec: HCO writes the whole spec of a template into its status.
func TestLiveTemplateWithoutSpec(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, template, want string }{
		{"as HCO writes it", `{"metadata":{"name":"a"},"spec":{"managedDataSource":"a"},"status":{"commonTemplate":true}}`, ""},
		{"somebody removed the spec", `{"metadata":{"name":"a"},"status":{"commonTemplate":true}}`, "error GA121 status.dataImportCronTemplates[0].spec"},
		{"of one of the CR", `{"metadata":{"name":"a"},"spec":null,"status":{}}`, "error GA121 status.dataImportCronTemplates[0].spec"},
	} {
		live, found := ParseLive([]byte(`{"apiVersion":"hco.kubevirt.io/v1beta1","metadata":{"name":"kubevirt-hyperconverged"},
			"status":{"dataImportCronTemplates":[` + tc.template + `]}}`))
		if got := messages(found); got != tc.want || (live == nil) != (tc.want != "") {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
