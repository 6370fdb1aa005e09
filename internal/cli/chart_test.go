package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestChart: a directory with a Helm chart is named as one, with the command that
// renders it. Below a directory it is skipped, and the rest is read.
func TestChart(t *testing.T) {
	t.Parallel()
	dir := filetest.New(t, map[string]string{
		"chart/Chart.yaml": "apiVersion: v2\nname: virt\nversion: 0.1.0\n", "chart/values.yaml": "a: 1\n",
		"chart/templates/hco.yaml": "metadata:\n  name: {{ .Release.Name }}\n", "hco.yaml": manifests,
		"other/Chart.yaml": "apiVersion: example.com/v1\nkind: Chart\nmetadata: {name: a}\n", "other/hco.yaml": manifests,
		"ignored/.krmignore": "Chart.yaml\n", "ignored/Chart.yaml": "apiVersion: v2\nname: virt\n", "ignored/hco.yaml": manifests,
	})
	for _, tc := range []struct {
		reason string
		args   []string
		status int
		stdout string
		stderr string
	}{
		{
			reason: "the chart itself",
			args:   []string{"render", "DIR/chart"},
			status: 1,
			stderr: "error GA002 (DIR/chart): a Helm chart: only helm can render it. Pass what helm renders: helm template DIR/chart | goldenarch render -\n",
		},
		{"with a slash", []string{"render", "DIR/chart/"}, 1, "", "helm template DIR/chart | goldenarch render -\n"},
		{"its Chart.yaml", []string{"render", "DIR/chart/Chart.yaml"}, 1, "", "helm template DIR/chart | goldenarch render -\n"},
		{"for another verb", []string{"forecast", "DIR/chart"}, 1, "", "helm template DIR/chart | goldenarch forecast -\n"},
		{"for the lock", []string{"lock", "DIR/chart"}, 1, "", "helm template DIR/chart | goldenarch lock --file golden-images.lock.yaml -\n"},
		{"fix cannot write what helm renders", []string{"fix", "DIR/chart"}, 1, "", "helm template DIR/chart | goldenarch render -\n"},
		{
			reason: "neither can customize read it",
			args:   []string{"customize", "app", "--disable", "DIR/chart"},
			status: 1,
			stderr: "helm template DIR/chart | goldenarch render -\n",
		},
		{
			reason: "below a directory it is skipped",
			args:   []string{"render", "DIR", "DIR/hco.yaml"},
			status: 1,
			stderr: "warning GA002 (DIR/chart): the directory is a Helm chart, so goldenarch skips it",
		},
		{"a manifest of that name is none", []string{"render", "DIR/other"}, 0, tidied, ""},
		{"nor is one that is ignored", []string{"render", "DIR/ignored"}, 0, tidied, ""},
		{"nodes are not in a chart", []string{"render", "DIR/other", "--nodes=DIR/chart"}, 1, "", "--nodes: DIR/chart: it is a Helm chart"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			var args []string
			for _, arg := range tc.args {
				args = append(args, strings.ReplaceAll(arg, "DIR", dir))
			}
			if args[0] != "lock" && args[0] != "customize" {
				args = append(args, stated)
			}
			status, out, errs := runFed(t, "", args...)
			want := strings.ReplaceAll(tc.stderr, "DIR", dir)
			if status != tc.status || !strings.Contains(out, tc.stdout) || !strings.Contains(errs, want) {
				t.Errorf("want status %d, %q and %q, got %d\n%s%s", tc.status, tc.stdout, want, status, out, errs)
			}
		})
	}
}

// TestFindingsFile: the file has the lines of standard error, and none of an earlier run.
func TestFindingsFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "findings.txt")
	const right = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged, namespace: openshift-cnv}\nspec: {}\n"
	for _, tc := range []struct {
		reason, stdin string
		args          []string
		status        int
		want          string
	}{
		{"a warning", manifests, []string{stated}, 0, "warning GA101 "},
		{"an error", manifests, nil, 1, "error GA114 "},
		{"what cannot be read", "a: [", []string{stated}, 1, "error GA001: "},
		{"no finding", manifests, []string{"--config=does-not-exist.yaml"}, 1, "does-not-exist.yaml"},
		{
			reason: "nothing for the cluster",
			stdin:  "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\nmetadata: {name: x}\nspec: {nodes: [{architecture: amd64}]}\n",
			status: 1,
			want:   "goldenarch: there is nothing to render",
		},
		{"none", right, []string{"--workload-architectures=amd64", "--release=1.19", "--set=predefined=none"}, 0, ""},
	} {
		status, _, errs := runFed(t, tc.stdin, append([]string{"render", "-", "--findings-file", file}, tc.args...)...)
		data := filetest.Read(t, file)
		if status != tc.status || string(data) != errs || !strings.Contains(errs, tc.want) || tc.want == "" && errs != "" {
			t.Errorf("%s: want status %d and %q, got %d, on standard error\n%s\nin the file\n%s", tc.reason, tc.status, tc.want, status, errs, data)
		}
	}
	if status, out, errs := runFed(t, manifests, "render", "-", stated, "--findings-file", filepath.Join(file, "no")); status != 1 ||
		out != "" || !strings.Contains(errs, "flag --findings-file: ") {
		t.Errorf("without the file there is no output: %d %q %q", status, out, errs)
	}
}

// TestHelmCommands: each Application of Argo CD renders a chart in its own way, and the values in it
// may be secrets.
func TestHelmCommands(t *testing.T) {
	t.Parallel()
	application := func(name, helm string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: " + name + "}\n" +
			"spec: {source: {repoURL: https://git.example/r, path: chart, helm: {" + helm + "}}}\n---\n"
	}
	release := func(chart, spec string) string {
		return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\n" +
			"spec: {chart: {spec: {chart: " + chart + ", sourceRef: {kind: GitRepository, name: r}}" + spec + "}\n---\n"
	}
	for _, tc := range []struct{ reason, applications, want string }{
		{
			"a HelmRelease of Flux, whose files are those of the repository",
			release("./chart", "}, values: {a: pl4nted}, valuesFrom: [{kind: Secret, name: s}]"),
			"Pass what helm renders: helm template chart | goldenarch check - (add to helm what apps.yaml: HelmRelease/a has in spec.values, spec.valuesFrom)\n",
		},
		{
			"whose files are in the place of that of the chart", strings.ReplaceAll(release("chart", "VALUES}"), "r}}VALUES", "r}, valuesFiles: [./chart/a.yaml]}"),
			"Pass what helm renders: helm template chart -f chart/a.yaml | goldenarch check - " +
				"(apps.yaml: HelmRelease/a renders the chart without its values.yaml, so use a copy without it)\n",
		},
		{
			"unless that is one of them", strings.ReplaceAll(release("chart", "VALUES}"), "r}}VALUES", "r}, valuesFiles: [chart/values.yaml, chart/a.yaml]}"),
			"Pass what helm renders: helm template chart -f chart/values.yaml -f chart/a.yaml | goldenarch check -\n",
		},
		{"nobody", "", "Pass what helm renders: helm template chart | goldenarch check -\n"},
		{"one", application("a", "valueFiles: [a.yaml]"), "Pass what helm renders: helm template chart -f chart/a.yaml | goldenarch check -\n"},
		{
			"two with different files", application("a", "valueFiles: [a.yaml]") + application("b", "valueFiles: [a.yaml, b.yaml]"),
			"Pass what helm renders for each Application or HelmRelease. apps.yaml: Application/a: helm template chart -f chart/a.yaml | goldenarch check -, " +
				"apps.yaml: Application/b: helm template chart -f chart/a.yaml -f chart/b.yaml | goldenarch check -\n",
		},
		{
			"two alike", application("a", "valueFiles: [a.yaml]") + application("b", "valueFiles: [a.yaml]"),
			"Pass what helm renders: helm template chart -f chart/a.yaml | goldenarch check -\n",
		},
		{
			"values of its own", application("a", "parameters: [{name: password, value: pl4nted}], valuesObject: {a: pl4nted}, values: pl4nted"),
			"Pass what helm renders: helm template chart | goldenarch check - (add to helm what apps.yaml: Application/a has in " +
				"helm.parameters, helm.values, helm.valuesObject)\n",
		},
	} {
		dir := writeTree(t, map[string]string{
			"apps.yaml": tc.applications, "chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 0.1.0\n",
			"chart/templates/hco.yaml": "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata: {name: {{ .Values.name }}}\n",
			"chart/a.yaml":             "a: b\n", "chart/b.yaml": "a: b\n", "chart/values.yaml": "a: b\n",
		})
		out, messages, _ := runIn(t, dir, "check", ".", "--allow-empty")
		if !strings.Contains(out, tc.want) || strings.Contains(out+messages, "pl4nted") {
			t.Errorf("%s: want %q, got\n%s%s", tc.reason, tc.want, out, messages)
		}
	}
}
