package cli

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestCatalogIsNotGreen: goldenarch does not look into catalogs of the Operator Lifecycle Manager,
// and a check of one does not pass.
func TestCatalogIsNotGreen(t *testing.T) {
	t.Parallel()
	dir := filetest.New(t, map[string]string{
		"catalog/c.yaml": "schema: olm.package\nname: acme\n---\nschema: olm.bundle\nname: v1\npackage: acme\nimage: quay.io/a/b:1\n" +
			"relatedImages: [{name: x, image: quay.io/a/c:1}]\n",
		"json/c.json": `{"schema": "olm.package", "name": "acme"}` + "\n" + `{"schema": "olm.channel", "name": "stable", "package": "acme"}` + "\n",
		"db/index.db": "SQLite format 3\x00",
	})
	for _, tc := range []struct {
		reason string
		args   []string
		says   string
	}{
		{"YAML", []string{"check", "catalog"}, "NothingChecked"},
		{"with pods", []string{"check", "catalog", "--workloads", "Check"}, "NothingChecked"},
		{"its file", []string{"check", "catalog/c.yaml"}, "without apiVersion or kind is no Kubernetes object"},
		{"JSON", []string{"check", "json"}, "NothingChecked"},
		{"its file", []string{"check", "json/c.json"}, "without apiVersion or kind is no Kubernetes object"},
		{"a database", []string{"check", "db"}, "NothingChecked"},
		{"nothing to lock", []string{"lock", "catalog"}, "nothing says what to lock"},
		{"nothing to fix", []string{"fix", "catalog", "--workloads", "Affinity"}, "error GA724"},
	} {
		out, messages, status := runIn(t, dir, tc.args...)
		if status != statusFailed || !strings.Contains(out+messages, tc.says) {
			t.Errorf("%s: %v: want %q, got status %d\n%s%s", tc.reason, tc.args, tc.says, status, out, messages)
		}
	}
}
