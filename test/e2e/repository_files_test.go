package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRepositoryWorkflows: actionlint has nothing to say about the workflows of this
// repository, and about the action in a workflow that uses it.
func TestRepositoryWorkflows(t *testing.T) {
	t.Parallel()
	root := repository(t)
	actionlint := build(t, filepath.Join(root, "tools/actionlint"), "github.com/rhysd/actionlint/cmd/actionlint", "actionlint")
	workflows, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yaml"))
	if err != nil || len(workflows) < 2 {
		t.Fatalf("want the workflows for a change and for a release, got %v, %v", workflows, err)
	}
	dir := laid(t, map[string]string{
		"action/action.yml": read(t, root, "action.yml"),
		".github/workflows/w.yaml": "on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: ./action\n" +
			"        with: {path: source, args: --offline, summary: false, untrusted: auto, comment: true, program: /usr/bin/goldenarch}\n",
	})
	r := runner{env: os.Environ()}
	if got := r.run(t, "git", "-C", dir, "init", "-q"); got.status != 0 {
		t.Fatal(got.stderr)
	}
	args := append([]string{"-no-color", "-shellcheck=", "-pyflakes="}, workflows...)
	if got := r.run(t, actionlint, append(args, filepath.Join(dir, ".github/workflows/w.yaml"))...); got.status != 0 {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
}

// TestAction runs the steps of the action, as GitHub would, where all is right and where
// the API server refuses the CR.
func TestAction(t *testing.T) {
	t.Parallel()
	var action struct {
		Runs struct {
			Steps []struct{ Name, Run string }
		}
	}
	decode(t, "action.yml", &action)
	scripts := map[string]string{}
	for _, step := range action.Runs.Steps {
		scripts[step.Name] = step.Run
	}
	r := newRunner(t)
	temp, summary, output := t.TempDir(), filepath.Join(t.TempDir(), "summary.md"), filepath.Join(t.TempDir(), "output")
	env := func(path string) runner {
		return runner{
			env: append(append([]string{}, r.env...), "ACTION_PATH="+repository(t), "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+summary,
				"GITHUB_OUTPUT="+output, "PROGRAM=", "CHECK_PATH="+path, "CHECK_ARGS=--offline", "CHECK_AS=rendered", "WITH_SUMMARY=true",
				"UNTRUSTED=auto", "EVENT=push", "HEAD_REPOSITORY=", "BASE_REPOSITORY=o/r"),
		}
	}
	bash := func(r runner, dir, script string) outcome {
		t.Helper()
		file := filepath.Join(t.TempDir(), "step.sh")
		write(t, file, "cd '"+dir+"'\n"+script)
		return r.run(t, "bash", "--noprofile", "--norc", "-eo", "pipefail", file)
	}
	if got := bash(env("."), temp, scripts["Build goldenarch"]); got.status != 0 {
		t.Fatalf("build: %s%s", got.stdout, got.stderr)
	}
	right := copied(t, "examples/flux")
	byFleet := env(".")
	byFleet.env = append(byFleet.env, "CHECK_AS=")
	if got := bash(byFleet, right, scripts["Check"]); got.status != 0 {
		t.Errorf("status %d where all is right\n%s%s", got.status, got.stdout, got.stderr)
	}
	if got := bash(env("source"), refused(t), scripts["Check"]); got.status != 1 || !strings.Contains(got.stdout, "::error file=source/hyperconverged.yaml,") {
		t.Errorf("status %d where the API server refuses the CR\n%s%s", got.status, got.stdout, got.stderr)
	}
	if data, err := os.ReadFile(summary); err != nil || !strings.Contains(string(data), "|---") {
		t.Errorf("no summary (%v): %s", err, data)
	}
	reports := filepath.Join(temp, "goldenarch-reports")
	if got := read(t, output, ""); !strings.Contains(got, "reports="+reports+"\n") {
		t.Errorf("want the directory of the reports among the outputs, got %q", got)
	}
	for name, holds := range map[string]string{"report.md": "## ", "report.html": "<!DOCTYPE html>", "report.json": "{", "report.sarif": "sarif"} {
		if got := read(t, reports, name); !strings.Contains(got, holds) {
			t.Errorf("%s: want %q in %s", name, holds, got)
		}
	}
	comments(t, filepath.Join(reports, "report.md"), scripts["Comment"])
}

// comments runs the step that keeps one comment: it writes one, and later changes it.
func comments(t *testing.T, report, script string) {
	t.Helper()
	state := t.TempDir()
	bin := written(t, map[string]string{"gh": `#!/bin/sh
echo "$@" >> "$STATE/calls"
case "$*" in
"api --paginate"*) if [ -e "$STATE/body" ]; then echo 7; fi ;;
*) cp "${7#body=@}" "$STATE/body" ;;
esac
`})
	if err := os.Chmod(filepath.Join(bin, "gh"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "step.sh")
	write(t, file, script)
	r := runner{env: append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "STATE="+state,
		"REPORT="+report, "COMMENTS=repos/o/r/issues/3/comments", "OF_REPOSITORY=repos/o/r/issues/comments")}
	for range 2 {
		if got := r.run(t, "bash", "--noprofile", "--norc", "-eo", "pipefail", file); got.status != 0 {
			t.Fatalf("%s%s", got.stdout, got.stderr)
		}
	}
	calls := read(t, state, "calls")
	if strings.Count(calls, "--method POST repos/o/r/issues/3/comments") != 1 || strings.Count(calls, "--method PATCH repos/o/r/issues/comments/7") != 1 {
		t.Errorf("want one comment that is changed, got the calls\n%s", calls)
	}
	if body := read(t, state, "body"); !strings.HasPrefix(body, "<!-- goldenarch -->\n## ") {
		t.Errorf("want the report with a mark, got %s", body)
	}
}

// cloned returns a clone of a repository that has a directory, with nothing on its branch main but that.
func cloned(t *testing.T, dir string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "clone")
	r := runner{env: append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null"), dir: dir}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch", "main"},
		{"add", "--all"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "a"},
		{"clone", "--quiet", dir, out},
	} {
		if got := r.run(t, "git", args...); got.status != 0 {
			t.Fatalf("git %v: %s", args, got.stderr)
		}
	}
	return out
}

// TestActionTrusts: auto trusts a commit of the repository itself, and no commit of a fork.
func TestActionTrusts(t *testing.T) {
	t.Parallel()
	var action struct {
		Runs struct {
			Steps []struct{ Name, Run string }
		}
	}
	decode(t, "action.yml", &action)
	temp := t.TempDir()
	program := filepath.Join(temp, "goldenarch")
	write(t, program, "#!/bin/sh\necho \"$@\"\n")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	clone := cloned(t, copied(t, "examples/flux"))
	for _, tc := range []struct {
		untrusted, event, head string
		want                   bool
		status                 int
	}{
		{"auto", "push", "", false, 0},
		{"auto", "schedule", "", false, 0},
		{"auto", "pull_request", "o/r", false, 0},
		{"auto", "pull_request", "stranger/r", true, 0},
		{"auto", "pull_request", "", true, 0}, // the fork is deleted
		{"auto", "pull_request_target", "o/r", true, 0},
		{"auto", "pull_request_target", "stranger/r", true, 0},
		{"auto", "workflow_run", "", true, 0},
		{"auto", "issue_comment", "", true, 0},
		{"true", "push", "", true, 0},
		{"false", "pull_request_target", "stranger/r", false, 0},
		{"yes", "push", "", false, 2},
		{"", "push", "", false, 2},
	} {
		for _, step := range action.Runs.Steps {
			if step.Name != "Check" {
				continue
			}
			summary := filepath.Join(t.TempDir(), "summary.md")
			r := runner{dir: clone, env: append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+summary, "WITH_SUMMARY=true",
				"GITHUB_OUTPUT="+filepath.Join(t.TempDir(), "output"), "PROGRAM="+program,
				"CHECK_PATH=a\nb  c", "CHECK_ARGS=--offline\n--strict", "CHECK_AS=", "BASE=main",
				"UNTRUSTED="+tc.untrusted, "EVENT="+tc.event, "HEAD_REPOSITORY="+tc.head, "BASE_REPOSITORY=o/r")}
			file := filepath.Join(t.TempDir(), "step.sh")
			write(t, file, step.Run)
			got := r.run(t, "bash", "--noprofile", "--norc", "-eo", "pipefail", file)
			if tc.status == 0 && !strings.HasPrefix(got.stdout, "check a b c --offline --strict") {
				t.Errorf("%+v: want all lines of path and args, got %s", tc, got.stdout)
			}
			given := strings.Contains(got.stdout, " --untrusted --base origin/main")
			if got.status != tc.status || given != tc.want {
				t.Errorf("%s %+v: want status %d and untrusted %v, got %d and %s%s", step.Name, tc, tc.status, tc.want, got.status, got.stdout, got.stderr)
			}
		}
	}
}

// TestPreCommitHooks: each hook is a command of goldenarch that it knows.
func TestPreCommitHooks(t *testing.T) {
	t.Parallel()
	var hooks []struct {
		ID, Entry, Language string
		PassFilenames       *bool `json:"pass_filenames"`
	}
	decode(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 2 {
		t.Fatalf("want two hooks, got %d", len(hooks))
	}
	r := newRunner(t)
	for _, hook := range hooks {
		if hook.Language != "golang" || hook.PassFilenames == nil || *hook.PassFilenames {
			t.Errorf("%s: is built by Go, and gets directories: %+v", hook.ID, hook)
		}
		if got := shell(t, r, t.TempDir(), hook.Entry+" --help"); got.status != 0 {
			t.Errorf("%s: %s", hook.ID, got.stderr)
		}
	}
	for example, path := range map[string]string{"examples/flux": "source"} {
		if got := shell(t, r, copied(t, example), hooks[0].Entry+" "+path+" --as rendered"); got.status != 0 {
			t.Errorf("%s fails on a repository where all is right, %s: %s%s", hooks[0].ID, example, got.stdout, got.stderr)
		}
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
