package cli

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestCheckLinesOfBuild: a pull request shows findings of a kustomization at the lines
// of the base or of the patch that has the template.
func TestCheckLinesOfBuild(t *testing.T) {
	dir := filetest.New(t, map[string]string{
		"base/kustomization.yaml": "resources: [hco.yaml]",
		"base/hco.yaml":           manifests,
		"prod/kustomization.yaml": "resources: [../base]\npatches:\n- path: more.yaml\n  target: {kind: HyperConverged}\n",
		"prod/more.yaml": "# one more\n- op: add\n  path: /spec/dataImportCronTemplates/-\n  value:\n    metadata:\n      name: more\n" +
			"      annotations: {ssp.kubevirt.io/dict.architectures: 'amd64, arm64'}\n" +
			"    spec:\n      managedDataSource: more\n      schedule: 0 0 * * *\n      template: {spec: {source: {http: {url: 'https://example.com/more.qcow2'}}}}\n",
	})
	t.Chdir(dir)
	for format, want := range map[string][]string{
		"github": {"::warning file=base/hco.yaml,line=7,title=GA101", "::warning file=prod/more.yaml,line=5,title=GA101"},
		"sarif":  {`{"uri":"base/hco.yaml"},"region":{"startLine":7}`, `{"uri":"prod/more.yaml"},"region":{"startLine":5}`},
		"json":   {`"file":"base/hco.yaml","line":7`, `"file":"prod/more.yaml","line":5`},
		"text":   {"(base/hco.yaml:7)", "(prod/more.yaml:5)"},
		"junit":  {"(base/hco.yaml:7)", "(prod/more.yaml:5)"},
	} {
		_, out, errs := runFed(t, "", "check", "prod", "--workload-architectures", "amd64,arm64", "-o", format)
		got := out
		if format != "text" && format != "github" && format != "junit" {
			got = strings.Join(strings.Fields(got), "")
		}
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: want %s in\n%s%s", format, part, out, errs)
			}
		}
	}
}
