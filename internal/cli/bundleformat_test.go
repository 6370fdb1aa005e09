package cli

import (
	"strings"
	"testing"
)

// TestFormatBeforeBundles: a directory with the metadata of a bundle and its manifests beside
// them, as catalogs had before bundles, is a directory like others. Its metadata stopped the run.
func TestFormatBeforeBundles(t *testing.T) {
	t.Parallel()
	const metadata = "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n" +
		"  operators.operatorframework.io.bundle.manifests.v1: manifests/\n  operators.operatorframework.io.bundle.package.v1: acme\n"
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: games.example.com}\nspec: {}\n"
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n" +
		"      containers:\n      - name: app\n        image: quay.io/acme/web:1\n"
	aliased := "x: &type registry+v1\n" + strings.Replace(metadata, ": registry+v1", ": *type", 1)
	for _, tc := range []struct {
		reason, metadata, bundle, beside string
		want                             int
	}{
		{"the manifests are beside the metadata", metadata, "catalog/0.0.1", "catalog/0.0.1/crd.yaml", statusOK},
		{"in a directory whose name looks like a pattern", metadata, "catalog/[1]", "catalog/[1]/crd.yaml", statusOK},
		{"the manifests are missing", metadata, "catalog/0.0.1", "catalog/other.yaml", statusFailed},
		{"the type is an alias", aliased, "catalog/0.0.1", "catalog/other.yaml", statusFailed},
	} {
		dir := writeTree(t, map[string]string{tc.bundle + "/metadata/annotations.yaml": tc.metadata, tc.beside: crd, "app/web.yaml": deployment})
		_, messages, status := runIn(t, dir, "fix", ".", "--workloads", "Affinity", "--offline", "--workload-architectures", "amd64,arm64",
			"--image", "quay.io/acme/web:1=amd64")
		if status != tc.want || strings.Contains(messages, "read the manifests") != (tc.want == statusFailed) {
			t.Errorf("%s: status %d\n%s", tc.reason, status, messages)
		}
	}
}
