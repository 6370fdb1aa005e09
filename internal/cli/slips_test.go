package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSlipsStopEveryWriter: a field of a CR with a slip is the same error in each verb that
// writes a CR as in check, and nothing is written.
func TestSlipsStopEveryWriter(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}\n"
	const template = "\n  - metadata: {name: app}\n    spec: {managedDataSource: app, schedule: \"0 0 * * *\", template: {spec: {source: {registry: " +
		"{url: \"docker://quay.io/acme/web:1\"}}, storage: {resources: {requests: {storage: 1Gi}}}}}}\n"
	flags := []string{"--offline", "--workload-architectures", "amd64,arm64", "--image", "quay.io/acme/web:1=amd64,arm64"}
	verbs := map[string][]string{
		"check": append([]string{"check", "hco.yaml"}, flags...), "render": append([]string{"render", "hco.yaml"}, flags...),
		"fix": append([]string{"fix", "hco.yaml"}, flags...), "fix --diff": append([]string{"fix", "--diff", "."}, flags...),
		"init": append([]string{"init", "."}, flags[:3]...), "customize": {"customize", "fedora-image-cron", "hco.yaml", "--disable"},
	}
	for _, tc := range []struct{ reason, text, want string }{
		{"a key in another case", head + "Spec: {}\n", `has no field "Spec" here`},
		{"a list in the singular", head + "spec:\n  dataImportCronTemplate:" + template, `has no field "dataImportCronTemplate" here`},
		{"a field that goldenarch does not need", head + "spec: {liveMigrationConfg: {}}\n", "Rename it to liveMigrationConfig"},
		{"a key of a template", head + "spec:\n  dataImportCronTemplates:" + strings.Replace(template, "spec:", "Spec:", 1), `has no field "Spec" here`},
		{
			"a CR in a List", "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(head, "\n", "\n  ") + "Spec: {}\n",
			`items[0].Spec (hco.yaml:7): hco.kubevirt.io/v1beta1 has no field "Spec" here`,
		},
	} {
		for verb, args := range verbs {
			t.Run(tc.reason+"/"+verb, func(t *testing.T) {
				t.Parallel()
				dir := writeTree(t, map[string]string{"hco.yaml": tc.text})
				before := filesBelow(t, dir)
				out, messages, status := runIn(t, dir, args...)
				if status != statusFailed || !strings.Contains(out+messages, "error GA402 ") || !strings.Contains(out+messages, tc.want) {
					t.Errorf("status %d, want %q\n%s%s", status, tc.want, out, messages)
				}
				if verb != "check" && out != "" {
					t.Errorf("printed %s", out)
				}
				if diff := cmp.Diff(before, filesBelow(t, dir)); diff != "" {
					t.Errorf("wrote (-before +after):\n%s", diff)
				}
			})
		}
	}
}
