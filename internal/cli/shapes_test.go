package cli

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestVerbsAcceptTheSameDirectories: a directory that one verb reads, all read; where a verb is
// about one cluster and the directory has several, it names them.
func TestVerbsAcceptTheSameDirectories(t *testing.T) {
	t.Parallel()
	const helm = "helmCharts: [{name: x, repo: https://charts.example, version: 1.0.0}]\n"
	const values = "replicas: 1\nimage: {tag: v1}\n"
	const broken = "resources: [none.yaml]\n"
	for _, tc := range []struct {
		reason   string
		files    map[string]string
		clusters []string
	}{
		{"a CR in a file", map[string]string{"hco.yaml": unstated}, []string{"."}},
		{"a CR below", map[string]string{"clusters/a/hco.yaml": unstated}, []string{"clusters/a"}},
		{"a CR beside a Helm kustomization below", map[string]string{"hco.yaml": unstated, "monitoring/kustomization.yaml": helm}, []string{"."}},
		{"the CR in a directory beside it", map[string]string{"a/hco.yaml": unstated, "b/kustomization.yaml": helm}, []string{"a"}},
		{"a CR beside a kustomization that does not build", map[string]string{"hco.yaml": unstated, "b/kustomization.yaml": broken}, []string{"."}},
		{"a CR beside files that are no manifests", map[string]string{
			"hco.yaml": unstated, "values.yaml": values, ".github/workflows/a.yaml": "on: push\n",
		}, []string{"."}},
		{"a CR above a chart", map[string]string{
			"hco.yaml": unstated, "chart/Chart.yaml": "name: x\nversion: 0.1.0\napiVersion: v2\n", "chart/templates/a.yaml": "{{ .Values.a }}\n",
		}, []string{"."}},
		{"a kustomization", map[string]string{"hco.yaml": unstated, "kustomization.yaml": "resources: [hco.yaml]\n"}, []string{"."}},
		{"a kustomization below", map[string]string{"a/hco.yaml": unstated, "a/kustomization.yaml": "resources: [hco.yaml]\n"}, []string{"a"}},
		{"two files", map[string]string{"a/hco.yaml": unstated, "b/hco.yaml": unstated}, []string{"a", "b"}},
		{"a file and a kustomization", map[string]string{
			"a/hco.yaml": unstated, "b/hco.yaml": unstated, "b/kustomization.yaml": "resources: [hco.yaml]\n",
		}, []string{"a", "b"}},
		{"no CR", map[string]string{"values.yaml": values}, nil},
	} {
		for _, verb := range []struct {
			name string
			args []string
			one  bool // is about one cluster
		}{
			{"check", []string{"check"}, false},
			{"fix", []string{"fix"}, false},
			{"lock", []string{"lock", "--file", "images.lock", "--image", "registry.example/acme/a:1=amd64,arm64"}, false},
			{"init", []string{"init"}, false},
			{"customize", []string{"customize", "a", "--disable"}, true},
		} {
			t.Run(tc.reason+"/"+verb.name, func(t *testing.T) {
				t.Parallel()
				tree := filetest.New(t, tc.files)
				args := verb.args
				switch verb.name {
				case "check", "fix", "init":
					args = append(args, "--offline", "--image", "registry.example/acme/a:1=amd64,arm64",
						"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--release", "1.19")
				}
				out, messages, status := runIn(t, tree, append(args, ".")...)
				text := out + messages
				switch {
				case status == statusMisuse:
					t.Errorf("misuse\n%s", text)
				case len(tc.clusters) == 0:
					if status == statusOK {
						t.Errorf("there is no CR, but the status is 0\n%s", text)
					}
				case verb.one && len(tc.clusters) > 1:
					for _, name := range tc.clusters {
						if !strings.Contains(text, name) {
							t.Errorf("want the cluster %q named\n%s", name, text)
						}
					}
					if status != statusFailed {
						t.Errorf("status %d\n%s", status, text)
					}
				case verb.name == "check":
					// As committed, none of them is right.
					want := regexp.MustCompile(fmt.Sprintf(`NotRight, (\d+ clusters?, )?%d HyperConverged CR`, len(tc.clusters)))
					if !want.MatchString(text) {
						t.Errorf("want %s\n%s", want, text)
					}
				default:
					if status != statusOK {
						t.Errorf("status %d\n%s", status, text)
					}
				}
			})
		}
	}
}
