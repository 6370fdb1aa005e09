package cli

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// No image is asked for in these tests: the template's source is one of which a
// person says what it has.
const manifests = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
spec:
  dataImportCronTemplates:
  - metadata:
      name: app
      annotations:
        ssp.kubevirt.io/dict.architectures: "amd64, arm64"
    spec:
      managedDataSource: app
      schedule: ""
      template: {spec: {source: {http: {url: "https://example.com/disk.qcow2"}}}}
`

const (
	tidied  = `ssp.kubevirt.io/dict.architectures: "amd64,arm64"`
	stated  = "--workload-architectures=amd64,arm64"
	onlyOwn = "apiVersion: goldenarch.dev/v1alpha1\nkind: ClusterArchitectures\nmetadata: {name: prod}\nspec: {workload: [amd64]}\n"
)

// resourceList wraps manifests as a host passes them to the function.
func resourceList(text string) string {
	return "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- " +
		strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

func TestExecute(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		filetest.File(t, path, text)
		return path
	}
	config := func(name, spec string) string {
		return write(name, "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: "+spec+"\n")
	}
	directory := filepath.Dir(write("package/hco.yaml", manifests))
	templated := filepath.Dir(write("chart/template.yaml", "metadata:\n  name: {{ .Release.Name }}\n"))
	write("chart/hco.yaml", manifests)
	good, odd := config("good.yaml", "{cluster: {workloadArchitectures: [amd64, arm64]}}"), config("odd.yaml", "{clutser: {}}")
	keep := config("keep.yaml", "{existing: Keep, cluster: {workloadArchitectures: [amd64, arm64]}}")
	two := write("two.yaml", "apiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\nkind: ConfigMap\n")
	for name, tc := range map[string]struct {
		reason string
		args   []string
		stdin  string
		status int
		stdout string // part of it; "" for none at all
		stderr string // likewise
	}{
		"Function": {
			reason: "without a verb it is the function",
			args:   []string{stated},
			stdin:  resourceList(manifests),
			stdout: tidied,
			stderr: "GA101",
		},
		"FunctionFailed": {
			reason: "the items go out with the results, and hosts see the status",
			stdin:  resourceList(manifests),
			status: 1,
			stdout: "severity: error",
			stderr: "error GA114",
		},
		"NoResourceList":  {reason: "plain manifests are not silently passed through", stdin: manifests, status: 1, stderr: "goldenarch render -"},
		"NothingOnStdin":  {reason: "an empty stream is no ResourceList", status: 1, stderr: "not a ResourceList"},
		"BrokenYAML":      {reason: "no half result", stdin: "a: [", status: 1, stderr: "goldenarch: "},
		"RenderStdin":     {reason: "- is standard input", args: []string{"render", "-", stated}, stdin: manifests, stdout: tidied, stderr: "(stdin:"},
		"RenderDirectory": {reason: "a directory is read", args: []string{"render", directory, stated}, stdout: tidied, stderr: "hco.yaml:"},
		"RenderFailed":    {reason: "with an error finding nothing is printed", args: []string{"render", directory}, status: 1, stderr: "error GA114"},
		"RenderMissing":   {reason: "a path that is not there is named", args: []string{"render", filepath.Join(dir, "none")}, status: 1, stderr: "error GA001"},
		"RenderNothing": {
			reason: "an Argo CD prune would delete everything",
			args:   []string{"render", "-"},
			stdin:  onlyOwn,
			status: 1,
			stderr: "nothing to render",
		},
		"RenderEmptyList": {
			reason: "so would an empty List",
			args:   []string{"render", "-"},
			stdin:  "{apiVersion: v1, kind: List, items: []}\n",
			status: 1,
			stderr: "nothing to render",
		},
		"RenderEmpty":    {reason: "so would an empty stream", args: []string{"render", "-"}, status: 1, stderr: "nothing to render"},
		"Template":       {reason: "a template is skipped and named", args: []string{"render", templated, stated}, stdout: tidied, stderr: "warning GA002"},
		"TemplateStrict": {reason: "with --strict it is an error", args: []string{"render", templated, stated, "--strict"}, status: 1, stderr: "error GA002"},
		"Config":         {reason: "--config names the configuration", args: []string{"render", directory, "--config", good}, stdout: tidied, stderr: "GA101"},
		"ConfigUnknown": {
			reason: "an unknown key names the nearest known one",
			args:   []string{"render", directory, "--config", odd},
			status: 1,
			stderr: "cluster",
		},
		"ConfigMissing": {
			reason: "a file that is not there is named",
			args:   []string{"render", directory, "--config", dir + "/no"},
			status: 1,
			stderr: dir + "/no",
		},
		"ConfigTwo": {reason: "which of them counts?", args: []string{"render", directory, "--config", two}, status: 1, stderr: "2 documents"},
		"ConfigKeeps": {
			reason: "the configuration counts where no flag says otherwise",
			args:   []string{"render", directory, "--config", keep},
			stdout: `"amd64, arm64"`,
			stderr: "GA101",
		},
		"FlagWins": {
			reason: "a flag wins over the configuration",
			args:   []string{"render", directory, "--config", keep, "--set", "existing=Narrow"},
			stdout: tidied,
			stderr: "GA101",
		},
		"FlagInvalid": {
			reason: "a flag is checked as the configuration is",
			args:   []string{"render", directory, "--set", "existing=Naro"},
			status: 2,
			stderr: "Narrow",
		},
		"UnknownFlag": {reason: "misuse", args: []string{"render", "--no-such-flag"}, status: 2, stderr: "--no-such-flag"},
		"StdinTwice": {
			reason: "the second reader would get nothing",
			args:   []string{"check", "-", "--live", "-"},
			status: 2,
			stderr: "an argument and by --live",
		},
		"StdinInFlags": {
			reason: "a flag that may be repeated",
			args:   []string{"forecast", "--nodes", "-", "--nodes=-", "a.yaml"},
			status: 2,
			stderr: "by --nodes and by --nodes",
		},
		"StdinAsPaths":  {reason: "a path is read once", args: []string{"render", "-", "-"}, status: 2, stderr: "named twice"},
		"UnknownVerb":   {reason: "misuse", args: []string{"rendr"}, status: 2, stderr: "rendr"},
		"UnknownShell":  {reason: "misuse", args: []string{"completion", "bogus"}, status: 2, stderr: `unknown command "bogus" for "goldenarch completion"`},
		"ShellArgument": {reason: "misuse", args: []string{"completion", "bash", "x"}, status: 2, stderr: `"x"`},
		"Shells":        {reason: "the shells are listed", args: []string{"completion"}, stdout: "powershell"},
		"UnknownTopic":  {reason: "misuse", args: []string{"help", "bogus"}, status: 2, stderr: `unknown command "bogus" for "goldenarch"`},
		"Topic":         {reason: "help of a command below another", args: []string{"help", "argocd", "discover"}, stdout: "goldenarch argocd discover"},
		"UnknownOutput": {reason: "misuse", args: []string{"resolve", "quay.io/a/b:1", "-o", "xml"}, status: 2, stderr: `"xml"`},
		"ResolveNoConcurrency": {
			reason: "misuse",
			args:   []string{"resolve", "a/b:1", "--set", "registryConcurrency=0"},
			status: 2,
			stderr: "flag --set registryConcurrency",
		},
		"ResolveNothing": {reason: "misuse", args: []string{"resolve"}, status: 2, stderr: `needs IMAGE`},
		"ResolveInvalid": {
			reason: "what cannot be resolved is listed, told, and the status says so",
			args:   []string{"resolve", "UPPER/case:1"},
			status: 1,
			stdout: "unknown",
			stderr: "UPPER/case",
		},
		"ResolveJSON":       {reason: "for programs", args: []string{"resolve", ":", "-o", "json"}, status: 1, stdout: `"error"`, stderr: "goldenarch: "},
		"ResolveYAML":       {reason: "for programs", args: []string{"resolve", ":", "-o", "yaml"}, status: 1, stdout: "- error:", stderr: "goldenarch: "},
		"ForecastOutput":    {reason: "misuse", args: []string{"forecast", "-", "-o", "xml"}, status: 2, stderr: `"xml"`},
		"ForecastAdmission": {reason: "misuse", args: []string{"forecast", "-", "--admission", "yes"}, status: 2, stderr: `"yes"`},
		"ForecastNothing":   {reason: "without a CR there is nothing to foretell", args: []string{"forecast", "-"}, stdin: onlyOwn, status: 1, stderr: "error GA003"},
		"ForecastUnread":    {reason: "half an input gives no forecast", args: []string{"forecast", "-"}, stdin: "a: [", status: 1, stderr: "error GA001"},
		"VersionArgument":   {reason: "misuse", args: []string{"version", "x"}, status: 2, stderr: "x"},
		"Version":           {reason: "name, version, commit and date", args: []string{"version"}, stdout: "goldenarch dev (commit unknown, unknown)\n"},
		"Help":              {reason: "the verbs are listed", args: []string{"help"}, stdout: "render"},
		"HelpFlag":          {reason: "the flags of a verb are listed", args: []string{"render", "--help"}, stdout: "--strict"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := runFed(t, tc.stdin, tc.args...)
			if status != tc.status {
				t.Errorf("%s: want status %d, got %d", tc.reason, tc.status, status)
			}
			for _, stream := range []struct{ name, want, got string }{{"stdout", tc.stdout, out}, {"stderr", tc.stderr, errs}} {
				if !strings.Contains(stream.got, stream.want) || (stream.want == "" && stream.got != "") {
					t.Errorf("%s: want %q on %s, got %q", tc.reason, stream.want, stream.name, stream.got)
				}
			}
		})
	}
}

// TestStoppedWhileWaiting: a signal ends the run at once, also while standard
// input is waited for.
func TestStoppedWhileWaiting(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"render", "-"}} {
		in, never := io.Pipe()
		defer never.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out, errs bytes.Buffer
		if status := Execute(ctx, args, Streams{In: in, Out: &out, Err: &errs}); status != 1 {
			t.Errorf("%q: want status 1, got %d", args, status)
		}
		if out.Len() > 0 || !strings.Contains(errs.String(), "nothing was written") {
			t.Errorf("%q: nothing is written, and that is said: %q, %q", args, out.String(), errs.String())
		}
	}
}

// TestRenderAgain: what render has written, it writes again byte for byte, and a
// block of several lines stays as it was.
func TestRenderAgain(t *testing.T) {
	t.Parallel()
	const patch = "\n      [\n        {\"op\": \"add\"}\n      ]\n"
	text := strings.Replace(manifests, "spec:\n", "  annotations:\n    kubevirt.kubevirt.io/jsonpatch: >-"+patch+"spec:\n", 1) +
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    patch: >-" + patch
	var before string
	for run := range 3 {
		status, out, errs := runFed(t, text, "render", "-", stated)
		if status != 0 {
			t.Fatalf("run %d: status %d: %s", run, status, errs)
		}
		text = out
		if got := strings.Count(text, patch); got != 2 {
			t.Errorf("run %d: want the patch in both objects, got %d:\n%s", run, got, text)
		}
		if run > 0 && text != before {
			t.Errorf("run %d changed the output of the one before:\n%s", run, cmp.Diff(before, text))
		}
		before = text
	}
}
