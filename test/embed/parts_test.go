package embed

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/generators"
	"github.com/goldenarch/goldenarch/transformers"
)

// TestTransformers edits a CR with what is public alone.
func TestTransformers(t *testing.T) {
	t.Parallel()
	cr := yaml.MustParse("spec:\n  dataImportCronTemplates:\n  - metadata:\n      name: app\n")
	edits := transformers.Edits{Templates: []transformers.Template{{Claim: &transformers.Claim{Value: "amd64,arm64"}}}}
	if err := transformers.Apply(cr, "v1beta1", edits); err != nil || !strings.Contains(cr.MustString(), want) {
		t.Errorf("want %q, got %v:\n%s", want, err, cr.MustString())
	}
}

// TestGenerators makes objects with what is public alone.
func TestGenerators(t *testing.T) {
	t.Parallel()
	in := generators.Input{Architectures: []string{"amd64"}, Namespace: "images", DataSources: v1alpha1.DataSourcesAll}
	in.Templates = []generators.Template{{Name: "app", Annotations: map[string]string{"ssp.kubevirt.io/dict.architectures": "amd64"}}}
	in.Templates[0].Spec.ManagedDataSource = "disk"
	if objects := generators.Objects(in); len(objects) != 3 || objects[0]["kind"] != "DataImportCron" {
		t.Errorf("want a DataImportCron, its DataSource and the default one, got %v", objects)
	}
}
