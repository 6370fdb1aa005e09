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
	for _, tc := range []struct {
		reason, beside string
		want           int
	}{
		{"the manifests are beside the metadata", "catalog/0.0.1/crd.yaml", statusOK},
		{"the manifests are missing", "catalog/other.yaml", statusFailed},
	} {
		dir := writeTree(t, map[string]string{"catalog/0.0.1/metadata/annotations.yaml": metadata, tc.beside: crd, "app/web.yaml": deployment})
		_, messages, status := runIn(t, dir, "fix", ".", "--workloads", "Affinity", "--offline", "--workload-architectures", "amd64,arm64",
			"--image", "quay.io/acme/web:1=amd64")
		if status != tc.want || strings.Contains(messages, "read the manifests") != (tc.want == statusFailed) {
			t.Errorf("%s: status %d\n%s", tc.reason, status, messages)
		}
	}
}
