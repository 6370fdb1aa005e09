package expansion

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/cdi"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// template returns a template; without a claim if that is "".
func template(name, dataSource, claim string) Template {
	url := "docker://quay.io/acme/" + name + ":1"
	t := Template{Metadata: hyperconverged.TemplateMetadata{Name: name, Annotations: map[string]string{"acme.io/note": "kept"}}}
	if claim != "" {
		t.Metadata.Annotations[hyperconverged.ClaimAnnotation] = claim
	}
	t.Spec.ManagedDataSource = dataSource
	t.Spec.Template.Spec.Source = &cdiv1.DataVolumeSource{Registry: &cdiv1.DataVolumeSourceRegistry{URL: &url}}
	return t
}

// TestFor: what an architecture decides is overwritten, all else is kept, the
// claim is not, and the template stays as it was.
func TestFor(t *testing.T) {
	t.Parallel()
	given := func() Template {
		one := template("app", "disk", "amd64,arm64")
		one.Metadata.Labels = map[string]string{"acme.io/team": "a", cdi.ArchitectureLabel: "wrong", cdi.DataSourceLabel: "wrong"}
		one.Spec.Template.Spec.Source.Registry.Platform = &cdiv1.PlatformOptions{Architecture: "wrong"}
		return one
	}
	one := given()
	c := For(one, arch.ARM64, "images")
	want := &Cron{
		Name: "app-arm64", Namespace: "images", Architecture: arch.ARM64,
		Labels:      map[string]string{"acme.io/team": "a", cdi.ArchitectureLabel: "arm64", cdi.DataSourceLabel: "disk"},
		Annotations: map[string]string{"acme.io/note": "kept"},
		Spec:        given().Spec,
	}
	want.Spec.ManagedDataSource = "disk-arm64"
	want.Spec.Template.Spec.Source.Registry.Platform.Architecture = "arm64"
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(given(), one); diff != "" {
		t.Errorf("the template is changed (-before +after):\n%s", diff)
	}
}

// TestForOfAPVC: a PVC has no platform; every architecture clones the same.
func TestForOfAPVC(t *testing.T) {
	t.Parallel()
	one := template("app", "disk", "amd64")
	one.Spec.Template.Spec.Source = &cdiv1.DataVolumeSource{PVC: &cdiv1.DataVolumeSourcePVC{Name: "p", Namespace: "q"}}
	c := For(one, arch.AMD64, "images")
	if diff := cmp.Diff(one.Spec.Template, c.Spec.Template); diff != "" || c.Spec.ManagedDataSource != "disk-amd64" {
		t.Errorf("want the DataSource's name changed and nothing else, got %q and (-want +got):\n%s", c.Spec.ManagedDataSource, diff)
	}
}

// TestPlain: a cron stands where its template says, and else where golden images
// are; the claim is never copied.
func TestPlain(t *testing.T) {
	t.Parallel()
	one := template("app", "disk", "amd64")
	if c := plain(one, "images"); c.Name != "app" || c.Namespace != "images" || c.Architecture != "" || c.Annotations[hyperconverged.ClaimAnnotation] != "" {
		t.Errorf("want app in images without a claim, got %+v", c)
	}
	one.Metadata.Namespace = "team"
	if c := plain(one, "images"); c.Namespace != "team" {
		t.Errorf("want the template's own namespace, got %q", c.Namespace)
	}
	if one.Declared() != "amd64" {
		t.Errorf("the template has lost its claim")
	}
}
