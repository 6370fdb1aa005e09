package setup

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// stated are facts that the files do not have.
var stated = Facts{Release: "1.19", Workload: []string{"amd64", "arm64"}, ControlPlane: []string{"amd64"}}

const flags = "--release 1.19 --workload-architectures amd64,arm64 --control-plane-architectures amd64"

func TestCommand(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		host   Host
		facts  Facts
		want   string
	}{
		{"kustomize runs goldenarch, and the files have the facts", HostKustomize, stated, "goldenarch check prod --as rendered"},
		{"kpt renders the files in place", HostKpt, stated, "goldenarch check prod"},
		{
			"nothing runs it on files, so the pipeline compares them with what fix would write",
			HostFiles, stated,
			"goldenarch check prod " + flags,
		},
		{"facts that are in the files are not stated again", HostFiles, Facts{}, "goldenarch check prod"},
		{
			"one fact of three", HostFiles,
			Facts{ControlPlane: []string{"s390x"}},
			"goldenarch check prod --control-plane-architectures s390x",
		},
	} {
		if got := Command(tc.host, "prod", tc.facts); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestWorkflow: GitHub reads each command as it is, whatever the name of the directory.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{
		"prod", "my cluster", "it's", "a: b", "#1", "$HOME", `back\slash`, "{x}", "100%", "- a", "--help", "a\nb", "a\u0085b", "größe", "{{ x }}", "~", "yes", "!x",
	} {
		command := Command(HostFiles, dir, stated)
		want := []string{install, command + " -o github $TRUST"}
		text := Workflow(Check{Command: command})
		if diff := cmp.Diff(want, stepsOf(t, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", dir, diff)
		}
		again, err := AddStep(text, Check{Command: command})
		if err != nil || string(again) != string(text) {
			t.Errorf("%s: the command is added again: %v\n%s", dir, err, again)
		}
	}
}

// TestNamesAreNoCode: what a host fills in or takes for a flag is a part of the name.
func TestNamesAreNoCode(t *testing.T) {
	t.Parallel()
	command := Command(HostKpt, "a ${{ github.token }}", Facts{})
	text := Workflow(Check{Command: command})
	if diff := cmp.Diff([]string{install, "goldenarch check 'a ${{ '${{' }} github.token }}' -o github $TRUST"}, stepsOf(t, text)); diff != "" {
		t.Errorf("an expression of GitHub (-want +got):\n%s", diff)
	}
	if again, err := AddStep(text, Check{Command: command}); err != nil || string(again) != string(text) {
		t.Errorf("the command is added again: %v\n%s", err, again)
	}
	if got := Command(HostKpt, "-x", Facts{}); got != "goldenarch check ./-x" {
		t.Errorf("a name that begins like a flag: %s", got)
	}
	hooks, err := AddHook([]byte("repos: []\n"), HostKpt, "-x", Facts{})
	if err != nil || !strings.Contains(string(hooks), "args: [./-x]") {
		t.Errorf("a name that begins like a flag: %v\n%s", err, hooks)
	}
	if again, err := AddHook(hooks, HostKpt, "-x", Facts{}); err != nil || string(again) != string(hooks) {
		t.Errorf("the hook is added again: %v\n%s", err, again)
	}
}

// stepsOf returns the commands that a workflow runs.
func stepsOf(t *testing.T, text []byte) []string {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run string `json:"run"`
			} `json:"steps"`
		} `json:"jobs"`
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var out []string
	for _, step := range workflow.Jobs["check"].Steps {
		if step.Run != "" {
			out = append(out, step.Run)
		}
	}
	return out
}

func TestAddStep(t *testing.T) {
	t.Parallel()
	const head = "jobs:\n  check:\n    steps:\n"
	for _, tc := range []struct{ reason, before, want, err string }{
		{
			reason: "a second cluster",
			before: head + "    - run: goldenarch check stage -o github\n",
			want:   head + "    - run: goldenarch check stage -o github\n    - run: goldenarch check prod --as rendered -o github $TRUST\n",
		},
		{
			reason: "a directory whose name begins the same is another one",
			before: head + "    - run: goldenarch check prod-2 -o github\n",
			want:   head + "    - run: goldenarch check prod-2 -o github\n    - run: goldenarch check prod --as rendered -o github $TRUST\n",
		},
		{reason: "a command with other flags does the same", before: head + "    - run: goldenarch check prod --strict\n"},
		{reason: "so does a line of a step with several", before: head + "    - run: |\n        make\n        goldenarch check prod\n"},
		{reason: "a job of another name is a person's", before: "jobs:\n  build:\n    steps: []\n"},
		{
			reason: "steps that another job has", before: "jobs: {a: {steps: &s [{run: make}]}, check: {steps: *s}}\n",
			err: "jobs.check.steps is the YAML alias *s",
		},
		{reason: "steps that are an object", before: "jobs: {check: {steps: {run: a}}}\n"},
		{reason: "broken", before: "jobs: [", err: "the file is not YAML"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			edit := func(text []byte) ([]byte, error) {
				return AddStep(text, Check{Command: Command(HostKustomize, "prod", Facts{})})
			}
			holdText(t, edit, tc.before, tc.want, tc.err)
		})
	}
}

func TestAddGitLabJob(t *testing.T) {
	t.Parallel()
	job := func(stage string) string {
		return "goldenarch:\n" + stage + "  image: golang:1.26\n  rules:\n" +
			"  - if: $CI_PIPELINE_SOURCE == \"merge_request_event\" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_PROJECT_ID\n" +
			"    variables:\n      TRUST: --untrusted --base FETCH_HEAD\n  - if: $CI_PIPELINE_SOURCE == \"merge_request_event\"\n" +
			"  script:\n  - " + install + "\n  - " + fetchOnGitLab + "\n  - goldenarch check prod --as rendered $TRUST\n"
	}
	for _, tc := range []struct{ reason, before, want, err string }{
		{reason: "the file is empty", want: strings.TrimPrefix(job(""), "\n")},
		{
			reason: "a header with inputs is a document of its own", before: "# in\nspec:\n  inputs:\n    a: {default: b}\n--- # jobs\ninclude: a\n",
			want: "# in\nspec:\n  inputs:\n    a: {default: b}\n--- # jobs\ninclude: a\n" + job(""),
		},
		{
			reason: "behind a marker, with the line ends of Windows, and without jobs yet", before: "---\r\nspec:\r\n  inputs:\r\n---\r\n",
			want: "---\r\nspec:\r\n  inputs:\r\n---\r\n" + strings.ReplaceAll(job(""), "\n", "\r\n"),
		},
		{reason: "GitLab's default stage is test", before: "include: a\n", want: "include: a\n" + job("")},
		{reason: "a stage called test needs no name", before: "stages: [build, test]\n", want: "stages: [build, test]\n" + job("")},
		{reason: "without test, the first stage", before: "stages: [lint, build]\n", want: "stages: [lint, build]\n" + job("  stage: lint\n")},
		{reason: "no stage at all", before: "stages: []\n", want: "stages: []\n" + job("")},
		{
			reason: "the job checks another directory already",
			before: "goldenarch:\n  script:\n    - goldenarch check stage\n",
			want:   "goldenarch:\n  script:\n    - goldenarch check stage\n    - goldenarch check prod --as rendered $TRUST\n",
		},
		{reason: "it checks this one", before: "goldenarch:\n  script: [make, goldenarch check prod --strict]\n"},
		{reason: "in a line of several", before: "goldenarch:\n  script:\n    - |\n      make\n      goldenarch check prod\n"},
		{reason: "in a line with an anchor", before: ".x: &check goldenarch check prod\ngoldenarch:\n  script: [*check]\n"},
		{
			reason: "the first stage has an anchor",
			before: ".x: &first lint\nstages: [*first, build]\n",
			want:   ".x: &first lint\nstages: [*first, build]\n" + job("  stage: lint\n"),
		},
		{reason: "all stages have one", before: ".x: &stages [build, test]\nstages: *stages\n", want: ".x: &stages [build, test]\nstages: *stages\n" + job("")},
		{
			reason: "all of an anchor are without test",
			before: ".x: &stages [lint]\nstages: *stages\n", want: ".x: &stages [lint]\nstages: *stages\n" + job("  stage: lint\n"),
		},
		{reason: "a merge key brings the line", before: ".x: &job {script: [goldenarch check prod]}\ngoldenarch: {<<: *job}\n"},
		{
			reason: "a merge key brings other lines, which the new one would hide",
			before: ".x: &job {script: [make]}\ngoldenarch:\n  <<: *job\n", err: "goldenarch.script comes from a YAML merge key",
		},
		{reason: "an alias brings the job", before: ".x: &job {script: [make]}\ngoldenarch: *job\n", err: "goldenarch is the YAML alias *job"},
		{reason: "a job that is a text", before: "goldenarch: a\n", err: "another form than expected"},
		{reason: "a script that is a text", before: "goldenarch: {script: make}\n", err: "script is not a list"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			edit := func(text []byte) ([]byte, error) {
				return AddGitLabJob(text, Check{Command: Command(HostKustomize, "prod", Facts{})})
			}
			holdText(t, edit, tc.before, tc.want, tc.err)
		})
	}
}

func TestAddHook(t *testing.T) {
	t.Parallel()
	const compact = "repos:\n- repo: https://github.com/goldenarch/goldenarch\n  rev: main\n  hooks:\n"
	const repo = "repos:\n  - repo: https://github.com/goldenarch/goldenarch\n    rev: main\n    hooks:\n"
	for _, tc := range []struct {
		reason            string
		host              Host
		facts             Facts
		before, want, err string
	}{
		{
			reason: "no repository yet",
			host:   HostKustomize, facts: stated,
			before: "fail_fast: true\n",
			want:   "fail_fast: true\n" + compact + "  - id: goldenarch-check\n    args: [prod, --as, rendered]\n",
		},
		{
			reason: "the files have no configuration, so the hook states the facts",
			host:   HostFiles, facts: Facts{Release: "1.19"},
			before: "repos: []\n",
			want:   compact + "  - id: goldenarch-check\n    args: [prod, --release, \"1.19\"]\n",
		},
		{
			reason: "a hook checks another directory; check would take both as one cluster",
			before: repo + "      - id: goldenarch-check\n        args: [stage]\n",
			want: repo + "      - id: goldenarch-check\n        args: [stage]\n" +
				"      - id: goldenarch-check\n        args: [prod]\n",
		},
		{reason: "it checks this one", before: repo + "      - id: goldenarch-check\n        args: [./prod]\n"},
		{reason: "without arguments it checks everything", before: repo + "      - id: goldenarch-check\n"},
		{
			reason: "the address may end with .git",
			before: "repos:\n- repo: https://github.com/goldenarch/goldenarch.git\n  hooks:\n  - id: goldenarch-check\n",
		},
		{
			reason: "pre-commit accepts several entries of one repository",
			before: compact + "  - id: goldenarch-render\n" + strings.TrimPrefix(compact, "repos:\n") + "  - id: goldenarch-check\n    args: [prod]\n",
		},
		{
			reason: "the first of several entries gets the hook",
			before: compact + "  - id: goldenarch-render\n" + strings.TrimPrefix(compact, "repos:\n") + "  - id: goldenarch-lock\n",
			want: compact + "  - id: goldenarch-render\n  - id: goldenarch-check\n    args: [prod]\n" +
				strings.TrimPrefix(compact, "repos:\n") + "  - id: goldenarch-lock\n",
		},
		{
			reason: "another hook of goldenarch does not check",
			before: repo + "      - id: goldenarch-lock\n",
			want:   repo + "      - id: goldenarch-lock\n      - id: goldenarch-check\n        args: [prod]\n",
		},
		{
			reason: "the facts of one cluster are not those of another",
			host:   HostFiles, facts: Facts{Workload: []string{"arm64"}},
			before: repo + "      - id: goldenarch-check\n        args: [stage, --workload-architectures, amd64]\n",
			want: repo + "      - id: goldenarch-check\n        args: [stage, --workload-architectures, amd64]\n" +
				"      - id: goldenarch-check\n        args: [prod, --workload-architectures, arm64]\n",
		},
		{
			reason: "aliases of its name and of its address",
			before: "x: [&id goldenarch-check, &repo https://github.com/goldenarch/goldenarch, &dir prod]\nrepos: [{repo: *repo, hooks: [{id: *id, args: [*dir]}]}]\n",
		},
		{
			reason: "aliases of its entry and of its arguments",
			before: "x: [&args [prod], &hook {id: goldenarch-check, args: *args}]\nrepos: [{repo: https://github.com/goldenarch/goldenarch, hooks: [*hook]}]\n",
		},
		{reason: "repos that are an alias", before: "x: &x []\nrepos: *x\n", err: "repos is the YAML alias *x"},
		{reason: "repos that are an object", before: "repos: {a: b}\n", err: "repos is not a list"},
		{reason: "hooks that are a text", before: "repos:\n- repo: https://github.com/goldenarch/goldenarch\n  hooks: a\n", err: "another form than expected"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			edit := func(text []byte) ([]byte, error) { return AddHook(text, tc.host, "prod", tc.facts) }
			holdText(t, edit, tc.before, tc.want, tc.err)
		})
	}
}

// TestConfig: the configuration states what is known and nothing else.
func TestConfig(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		host   Host
		facts  Facts
		spec   map[string]any
		note   string
	}{
		{reason: "nothing is known", host: HostKpt, spec: map[string]any{}, note: "config.kubernetes.io/local-config"},
		{
			reason: "kustomize needs the name of the program",
			host:   HostKustomize,
			facts:  Facts{Release: "4.20"},
			spec:   map[string]any{"release": "4.20"},
			note:   "config.kubernetes.io/function",
		},
		{
			reason: "only the workload nodes",
			host:   HostFiles,
			facts:  Facts{Workload: []string{"amd64", "s390x"}},
			spec:   map[string]any{"cluster": map[string]any{"workloadArchitectures": []any{"amd64", "s390x"}}},
			note:   "config.kubernetes.io/local-config",
		},
		{
			reason: "all",
			host:   HostFiles,
			facts:  stated,
			spec: map[string]any{"release": "1.19", "cluster": map[string]any{
				"workloadArchitectures": []any{"amd64", "arm64"}, "controlPlaneArchitectures": []any{"amd64"},
			}},
			note: "config.kubernetes.io/local-config",
		},
	} {
		var got struct {
			Metadata struct {
				Annotations map[string]string `json:"annotations"`
			} `json:"metadata"`
			Spec map[string]any `json:"spec"`
		}
		text := Config(tc.host, tc.facts)
		if err := yaml.UnmarshalStrict(text, &struct {
			APIVersion, Kind string
			Metadata, Spec   any
		}{}); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
		}
		if err := yaml.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v\n%s", tc.reason, err, text)
		}
		if !strings.Contains(string(text), "\n# +argocd:skip-file-rendering\n") {
			t.Errorf("%s: Argo CD applies a file without the comment:\n%s", tc.reason, text)
		}
		if diff := cmp.Diff(tc.spec, got.Spec); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
		if _, has := got.Metadata.Annotations[tc.note]; !has || len(got.Metadata.Annotations) != 1 {
			t.Errorf("%s: want the annotation %s, got %v", tc.reason, tc.note, got.Metadata.Annotations)
		}
		if lines := strings.Split(string(text), "\n"); slices.ContainsFunc(lines, func(line string) bool { return strings.TrimRight(line, " ") != line }) {
			t.Errorf("%s: a line ends with a blank:\n%s", tc.reason, text)
		}
	}
}
