//go:build unix

package hostile

import (
	"strings"
	"testing"
)

// TestNamesAreNoCommands: a name with line ends, escape sequences or characters that
// turn the text around is quoted in whatever is read by lines, and commands nobody.
func TestNamesAreNoCommands(t *testing.T) {
	t.Parallel()
	const evil = `x\n::stop-commands::t\r\e[2J\u202Ey`
	template := `{metadata: {name: "` + evil + `"}, spec: {managedDataSource: "` + evil + `", schedule: "` + evil + `", template: {spec: {source: {registry: {url: "docker://` + evil + `"}}, storage: {resources: {requests: {storage: "` + evil + `"}}}}}}}`
	for name, text := range map[string]string{
		"Metadata":   "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: \"" + evil + "\", namespace: \"" + evil + "\"}\nspec: {dataImportCronTemplates: []}\n",
		"Template":   "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec: {dataImportCronTemplates: [" + template + "]}\n",
		"Bare":       "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: \"::stop-commands::t\"}\nspec: {dataImportCronTemplates: [{metadata: {name: \"::stop-commands::t\"}}]}\n",
		"ApiVersion": "apiVersion: \"hco.kubevirt.io/" + evil + "\"\nkind: HyperConverged\nmetadata: {name: a}\n",
		"Key":        "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: a}\nspec: {\"" + evil + "\": 1, \"" + evil + "\": 2}\n",
		"Config":     "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: \"" + evil + "\"}\nspec: {\"" + evil + "\": 1}\n",
	} {
		for _, args := range [][]string{
			{"render", "--offline", "-"},
			{"check", "--offline", "-"},
			{"check", "--offline", "--format", "github", "-"},
			{"check", "--offline", "--format", "junit", "-"},
			{"forecast", "-"},
			{"lock", "--check", "--file", "no.yaml", "-"},
			{"render", "--config", "no\n::stop-commands::t", "-"},
			{"no\n::stop-commands::t"},
		} {
			got := Run(t, args, text, Limits{})
			streams := got.Stderr
			if args[0] != "render" { // which prints the manifests
				streams += "\n" + got.Stdout
			}
			for line := range strings.Lines(streams) {
				command := strings.HasPrefix(strings.TrimSpace(line), "::stop")
				if command || strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\r\x1b\u202e") {
					t.Errorf("%s, %q: a name is a line of its own, or steers the terminal: %q", name, args, line)
				}
			}
		}
	}
}
