package subject_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/plan"
	"github.com/goldenarch/goldenarch/internal/subject"
)

func TestNewOverridesRefusesWhatIsAmbiguous(t *testing.T) {
	t.Parallel()
	of := func(image string) v1alpha1.Override {
		return v1alpha1.Override{Image: image, Architectures: []string{"amd64"}}
	}
	for _, tc := range []struct {
		reason string
		list   []v1alpha1.Override
		fields []string
	}{
		{reason: "two images", list: []v1alpha1.Override{of("quay.io/a/b:1"), of("quay.io/a/b:2")}},
		{
			reason: "one image in two spellings", list: []v1alpha1.Override{of("fedora:40"), of("docker.io/library/fedora:40")},
			fields: []string{"spec.overrides[1].image"},
		},
		{reason: "no reference", list: []v1alpha1.Override{of("quay.io/A B")}, fields: []string{"spec.overrides[0].image"}},
		{reason: "a template needs no image", list: []v1alpha1.Override{{Template: "fedora-image-cron", Architectures: []string{"amd64"}}}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			_, found := subject.NewOverrides(tc.list, 0)
			var fields []string
			for _, f := range found {
				fields = append(fields, f.Field)
			}
			if diff := cmp.Diff(tc.fields, fields); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, found)
			}
		})
	}
}

// TestUnusedOverrides: an override is used if an image was queried, or if a template has
// the image or the name, also a disabled or predefined one.
func TestUnusedOverrides(t *testing.T) {
	t.Parallel()
	cr, found := hyperconverged.Parse([]byte(`{"apiVersion":"hco.kubevirt.io/v1beta1","kind":"HyperConverged","metadata":{"name":"kubevirt-hyperconverged"},
		"spec":{"dataImportCronTemplates":[{"metadata":{"name":"custom","annotations":{"dataimportcrontemplate.kubevirt.io/enable":"false"}},
		"spec":{"template":{"spec":{"source":{"registry":{"url":"docker://quay.io/a/custom:1"}}}}}}]}}`))
	if cr == nil {
		t.Fatal(found)
	}
	list := []subject.Subject{{Subject: plan.Subject{CR: cr, Table: hyperconverged.Upstream(), References: &imageref.Parsed{}}}}
	stated := []string{"amd64"}
	overrides, found := subject.NewOverrides([]v1alpha1.Override{
		{Image: "quay.io/a/custom:1", Architectures: stated},
		{Image: "quay.io/a/queried:1", Architectures: stated},
		{Image: "quay.io/a/other:1", Architectures: stated},
		{Template: "custom", Architectures: stated},
		{Template: "fedora-image-cron", Architectures: stated},
		{Template: "fedora-image-corn", Architectures: stated},
	}, 0)
	if len(found) > 0 {
		t.Fatal(found)
	}
	queried, err := imageref.Parse("quay.io/a/queried:1")
	if err != nil {
		t.Fatal(err)
	}
	if set, ok := overrides.Find(queried); !ok || set.String() != "amd64" {
		t.Errorf("the override of %s states %q, %v", queried, set, ok)
	}
	var unused []string
	for _, f := range overrides.Unused(list) {
		unused = append(unused, f.Field)
	}
	if diff := cmp.Diff([]string{"spec.overrides[2]", "spec.overrides[5]"}, unused); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if more := overrides.Unused(nil); more != nil {
		t.Errorf("without a CR nothing is unused, got %v", more)
	}
}
