package join_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/join"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
)

// TestUnusedOverrides: an override is used if a template has the name, also a disabled or
// predefined one. The same templates have the images that a statement can be about.
func TestUnusedOverrides(t *testing.T) {
	t.Parallel()
	cr, found := hyperconverged.Parse([]byte(`{"apiVersion":"hco.kubevirt.io/v1beta1","kind":"HyperConverged","metadata":{"name":"kubevirt-hyperconverged"},
		"spec":{"dataImportCronTemplates":[{"metadata":{"name":"custom","annotations":{"dataimportcrontemplate.kubevirt.io/enable":"false"}},
		"spec":{"template":{"spec":{"source":{"registry":{"url":"docker://quay.io/a/custom:1"}}}}}}]}}`))
	if cr == nil {
		t.Fatal(found)
	}
	list := []join.Joined{{Known: plan.Known{CR: cr, Table: hyperconverged.Upstream(), References: &imageref.Parsed{}}}}
	stated := []string{"amd64"}
	overrides := []v1alpha1.Override{
		{Image: "quay.io/a/other:1", Architectures: stated},
		{Template: "custom", Architectures: stated},
		{Template: "fedora-image-cron", Architectures: stated},
		{Template: "fedora-image-corn", Architectures: stated},
	}
	var unused []string
	for _, f := range join.UnusedOverrides(list, overrides) {
		unused = append(unused, f.Field)
	}
	if diff := cmp.Diff([]string{"spec.overrides[3]"}, unused); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if more := join.UnusedOverrides(nil, overrides); more != nil {
		t.Errorf("without a CR nothing is unused, got %v", more)
	}
	var images []string
	for ref := range join.ImagesOf(list) {
		images = append(images, ref.String())
	}
	for _, want := range []string{"quay.io/a/custom:1", "quay.io/containerdisks/fedora:latest"} {
		if !slices.Contains(images, want) {
			t.Errorf("want %s among the images of the templates, got %q", want, images)
		}
	}
}
