package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestWorkflows: actionlint has nothing to say about the workflows.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	actionlint := build(t, filepath.Join(repository(t), "tools/actionlint"), "github.com/rhysd/actionlint/cmd/actionlint", "actionlint")
	workflows, err := filepath.Glob(filepath.Join(repository(t), "examples/ci/github/*.yaml"))
	if err != nil || len(workflows) < 4 {
		t.Fatalf("want at least 4 workflows, got %v, %v", workflows, err)
	}
	// shellcheck and pyflakes would be run if they were there.
	args := append([]string{"-no-color", "-shellcheck=", "-pyflakes="}, workflows...)
	r := runner{env: os.Environ()}
	if got := r.run(t, actionlint, args...); got.status != 0 {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
	broken := written(t, map[string]string{"w.yaml": "on: push\njobs: {a: {runs-on: ubuntu-24.04, steps: [{run: 'echo ${{ nonsense.x }}'}]}}\n"})
	if got := r.run(t, actionlint, filepath.Join(broken, "w.yaml")); got.status == 0 {
		t.Error("actionlint takes anything: this test proves nothing")
	}
}

// TestRecipes runs what the recipes run, on the directory that they are for.
func TestRecipes(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	scripts := map[string]string{
		"github": strings.Join(steps(t, "examples/ci/github/check.yaml", "check", "goldenarch "), "\n"),
		"gitlab": strings.Join(gitlab(t, "check"), "\n"),
		"tekton": strings.ReplaceAll(tekton(t, "golden-images-check"), "$HOME/", "$RUNNER_TEMP/tekton-"),
	}
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(script, "goldenarch check") {
				t.Fatalf("the recipe does something else:\n%s", script)
			}
			right := copied(t, "examples/flux")
			if got := shell(t, r, right, script); got.status != 0 {
				t.Errorf("status %d where all is right\n%s%s", got.status, got.stdout, got.stderr)
			}
			stale := copied(t, "examples/flux")
			write(t, filepath.Join(stale, "rendered/manifests.yaml"), "something else\n")
			if got := shell(t, r, stale, script); got.status != 1 {
				t.Errorf("status %d where what is committed is stale\n%s%s", got.status, got.stdout, got.stderr)
			}
			if got := shell(t, r, refused(t), script); got.status != 1 {
				t.Errorf("status %d where the API server refuses the CR\n%s%s", got.status, got.stdout, got.stderr)
			}
			wrong := copied(t, "examples/flux")
			if err := os.Remove(filepath.Join(wrong, "source/golden-images.lock.yaml")); err != nil {
				t.Fatal(err)
			}
			if got := shell(t, r, wrong, script); got.status != 1 {
				t.Errorf("status %d where a file is missing\n%s%s", got.status, got.stdout, got.stderr)
			}
		})
	}
}

// refused returns a copy of the example whose CR is rendered without a word, and
// refused by the API server.
func refused(t *testing.T) string {
	t.Helper()
	dir := copied(t, "examples/flux")
	file := filepath.Join(dir, "source/hyperconverged.yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(data), "\nspec:\n", "\nspec:\n  evictionStrategy: Evict\n", 1)
	if wrong == string(data) {
		t.Fatal("the example has no spec")
	}
	write(t, file, wrong)
	return dir
}

// TestReports: what the recipes hand to GitHub and GitLab is there, also where the
// check fails, and says so.
func TestReports(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	check := "examples/ci/github/check.yaml"
	for _, tc := range []struct {
		reason, script, product string
		right, wrong            string // what is in the product
	}{
		{
			reason:  "annotations",
			script:  strings.ReplaceAll(steps(t, check, "check", "goldenarch check . -o github")[0], "$GITHUB_STEP_SUMMARY", "summary") + " > product",
			product: "product",
			right:   "passed: RightAsCommitted, 1 cluster, 1 HyperConverged CR",
			wrong:   "::error file=source/hyperconverged.yaml,line=8,title=GA411 ",
		},
		{
			reason:  "the job's summary",
			script:  strings.ReplaceAll(steps(t, check, "check", "goldenarch check . -o github")[0], "$GITHUB_STEP_SUMMARY", "product"),
			product: "product",
			right:   "## ✅ Golden images",
			wrong:   "## ❌ Golden images",
		},
		{
			reason:  "code scanning",
			script:  steps(t, "examples/ci/github/code-scanning.yaml", "scan", "goldenarch check")[0],
			product: "goldenarch.sarif",
			right:   `"version": "2.1.0"`,
			wrong:   `"level": "error"`,
		},
		{"a test report", gitlab(t, "check")[1], "golden-images.xml", `failures="0"`, "<failure "},
	} {
		for dir, want := range map[string]struct {
			status int
			part   string
		}{copied(t, "examples/flux"): {0, tc.right}, refused(t): {1, tc.wrong}} {
			got := shell(t, r, dir, tc.script)
			product, err := os.ReadFile(filepath.Join(dir, tc.product))
			if err != nil {
				t.Fatalf("%s: %v\n%s%s", tc.reason, err, got.stdout, got.stderr)
			}
			if got.status != want.status || !strings.Contains(string(product), want.part) {
				t.Errorf("%s: status %d, want %d, and %q in the product\n%s%s%s", tc.reason, got.status, want.status, want.part, product, got.stdout, got.stderr)
			}
		}
	}
}

// TestLockRecipe: of the statuses of lock --check the workflow makes what it
// needs to go on; no registry is there to ask, so another program says them.
func TestLockRecipe(t *testing.T) {
	t.Parallel()
	script := strings.Join(steps(t, "examples/ci/github/lock.yaml", "lock", "status=0"), "\n")
	for status, want := range map[string]outcome{
		"0": {stdout: "differs=false\n"}, "3": {stdout: "differs=true\n"}, "1": {status: 1},
	} {
		dir := written(t, map[string]string{"goldenarch": "#!/bin/sh\n[ \"$*\" = 'lock --check --prune source' ] || exit 9\nexit " + status + "\n"})
		if err := os.Chmod(filepath.Join(dir, "goldenarch"), 0o755); err != nil {
			t.Fatal(err)
		}
		r := runner{env: append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))}
		got := shell(t, r, dir, script+"\ncat \"$GITHUB_OUTPUT\"")
		if got.stderr != "" || got.status != want.status || got.stdout != want.stdout {
			t.Errorf("lock --check ends with %s: want %+v, got %+v", status, want, got)
		}
	}
}

// shell runs a script in a directory, as GitHub does.
func shell(t *testing.T, r runner, dir, script string) outcome {
	t.Helper()
	temp := t.TempDir()
	r.env = append(r.env, "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), "GITHUB_OUTPUT="+filepath.Join(temp, "output"))
	return r.run(t, "bash", "-e", "-o", "pipefail", "-c", "cd '"+dir+"'\n"+script)
}

// steps returns the commands of a workflow's job that begin in one of the given
// ways; a comment may stand before.
func steps(t *testing.T, file, job string, beginnings ...string) []string {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ Run string }
		}
	}
	decode(t, file, &workflow)
	var out []string
	for _, step := range workflow.Jobs[job].Steps {
		for _, beginning := range beginnings {
			if strings.HasPrefix(step.Run, beginning) {
				out = append(out, step.Run)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s: no step of %s begins with %q", file, job, beginnings)
	}
	return out
}

func gitlab(t *testing.T, job string) []string {
	t.Helper()
	var jobs map[string]struct{ Script []string }
	decode(t, "examples/ci/gitlab/.gitlab-ci.yml", &jobs)
	return jobs[job].Script
}

// tekton returns the script of a Task without the line that installs.
func tekton(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repository(t), "examples/ci/tekton/check.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(data), "\n---\n") {
		var task struct {
			Metadata struct{ Name string }
			Spec     struct{ Steps []struct{ Script string } }
		}
		if err := yaml.Unmarshal([]byte(document), &task); err != nil {
			t.Fatal(err)
		}
		if task.Metadata.Name != name {
			continue
		}
		var lines []string
		for line := range strings.Lines(task.Spec.Steps[0].Script) {
			if !strings.HasPrefix(line, "go install") {
				lines = append(lines, line)
			}
		}
		return strings.Join(lines, "")
	}
	t.Fatalf("no Task %s", name)
	return ""
}

func decode(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repository(t), file))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
