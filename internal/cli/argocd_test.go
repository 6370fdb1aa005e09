package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/host/argocd"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// The environment is of the whole process, so these have one each.
func TestRunForAnApplication(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) {
		filetest.File(t, filepath.Join(dir, name), text)
	}
	file("hco.yaml", manifests)
	file("golden-images.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n"+
		"spec: {release: '1.18', defaults: Write, existing: Keep, gate: Enable, cluster: {workloadArchitectures: [arm64]}}\n")
	t.Chdir(dir)
	for name, tc := range map[string]struct {
		reason     string
		parameters string
		args       []string
		status     int
		stdout     string // part of it; "" for none at all
		stderr     string // all of it, "" for whatever a success says
		log        string // part of standard error
	}{
		"Config":    {reason: "Git says all", parameters: "null", stdout: `dict.architectures: "amd64, arm64"`, log: "GA101"},
		"Parameter": {reason: "a parameter wins over Git", parameters: `[{"name":"existing","string":"Narrow"}]`, stdout: tidied},
		"Flag": {
			reason: "a flag wins over a parameter", parameters: `[{"name":"existing","string":"Narrow"}]`, args: []string{"--set=existing=Keep"},
			stdout: `dict.architectures: "amd64, arm64"`,
		},
		"Drift": {reason: "what HCO adds is told", parameters: `[{"name":"defaults","string":"Keep"}]`, stdout: "kind: HyperConverged", log: "info GA422"},
		"WrongWord": {
			reason: "a wrong parameter is told as such, in one line", parameters: `[{"name":"expand","string":"Emti"}]`, status: statusFailed,
			stderr: `goldenarch: the plugin parameters of the Application: spec.expand.mode: unknown mode "Emti": expected one of None, ` +
				`Emit, TakeOver; did you mean "Emit"?` +
				"\n",
		},
		"WrongNumber": {
			reason: "a value that cannot be read names its parameter", parameters: `[{"name":"registry-retries","string":"few"}]`, status: statusFailed,
			stderr: `goldenarch: plugin parameter "registryRetries": "few" is not a whole number: invalid syntax` + "\n",
		},
		"WrongFlag": {
			reason:     "a wrong flag is still misuse",
			parameters: "null",
			args:       []string{"--set=gate=x"},
			status:     statusMisuse,
			log:        "Run 'goldenarch help' for usage.",
		},
		"Errors": {
			reason:     "of a failure only the errors are told",
			parameters: `[{"name":"workload-architectures","string":"s390x"},{"name":"unsupported","string":"Fail"}]`,
			status:     statusFailed,
			log:        "error GA111",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("ARGOCD_APP_NAME", "hco")
			t.Setenv(argocd.Parameters, tc.parameters)
			child := goldenarch(t, append([]string{"render"}, tc.args...)...)
			var out, errs bytes.Buffer
			child.Stdout, child.Stderr = &out, &errs
			_ = child.Run()
			if got := child.ProcessState.ExitCode(); got != tc.status {
				t.Errorf("%s: status %d, want %d\n%s", tc.reason, got, tc.status, errs.String())
			}
			if !strings.Contains(out.String(), tc.stdout) || tc.stdout == "" && out.Len() > 0 {
				t.Errorf("%s: want %q on standard output, got\n%s", tc.reason, tc.stdout, out.String())
			}
			if tc.stderr != "" && errs.String() != tc.stderr || !strings.Contains(errs.String(), tc.log) {
				t.Errorf("%s: want %q%q on standard error, got\n%s", tc.reason, tc.stderr, tc.log, errs.String())
			}
			if drifts := strings.Contains(errs.String(), "GA422"); drifts != (name == "Drift") {
				t.Errorf("%s: the drift is told: %v\n%s", tc.reason, drifts, errs.String())
			}
			if tc.status != statusOK && strings.Contains(errs.String(), "warning GA") {
				t.Errorf("%s: warnings hide the error:\n%s", tc.reason, errs.String())
			}
		})
	}
}

// TestParametersOfGit: the parameters have the values of the GoldenImages, in each form that
// render reads.
func TestParametersOfGit(t *testing.T) {
	const spec = "{release: \"1.18\"}"
	for _, tc := range []struct{ reason, settings string }{
		{"a document", "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: " + spec + "\n"},
		{
			"its kind is an alias",
			"apiVersion: goldenarch.dev/v1alpha1\nmetadata: {name: g, labels: {kind: &kind GoldenImages}}\nkind: *kind\nspec: " + spec + "\n",
		},
		{
			"an element of a List",
			"apiVersion: v1\nkind: List\nitems: [{apiVersion: goldenarch.dev/v1alpha1, kind: GoldenImages, metadata: {name: g}, spec: " + spec + "}]\n",
		},
	} {
		t.Chdir(writeTree(t, map[string]string{"golden-images.yaml": tc.settings}))
		status, out, errs := runFed(t, "", "argocd", "parameters")
		if status != statusOK || !strings.Contains(out, `"string":"1.18"`) {
			t.Errorf("%s: status %d\n%s%s", tc.reason, status, errs, out)
		}
	}
}
