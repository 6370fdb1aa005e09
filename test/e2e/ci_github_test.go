package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestLockPullRequest: the nightly job opens a pull request, updates it only if there is
// something new, and closes it when the registry is back. The remote is a real
// repository; gh and goldenarch are programs of the test.
func TestLockPullRequest(t *testing.T) {
	t.Parallel()
	for reason, files := range map[string]map[string]string{
		"who commits what is rendered":                       {"source/hyperconverged.yaml": "a: b\n", "rendered/manifests.yaml": "rendered\n"},
		"who pushes it as an artifact has no such directory": {"source/hyperconverged.yaml": "a: b\n"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			rendered := ""
			if files["rendered/manifests.yaml"] != "" {
				rendered = "rendered/manifests.yaml\n"
			}
			lockPullRequest(t, files, rendered)
		})
	}
}

// lockPullRequest runs the job night by night in a repository.
func lockPullRequest(t *testing.T, files map[string]string, rendered string) {
	t.Helper()
	n := newNights(t, files)
	const edit = "pr edit 7 --title Refresh the lock of the golden images --body-file"

	n.night("", "there is nothing to do", "pr list")
	first := n.night("arm64 is gone", "a difference becomes a pull request", "pr list",
		"pr create --head golden-images-lock --title Refresh the lock of the golden images --body-file")
	if want := rendered +
		"source/golden-images.lock.yaml\n" +
		"source/hyperconverged.yaml\n"; n.git("ls-tree", "-r", "--name-only", "golden-images-lock") != want {
		t.Errorf("want the new files pushed:\n%s\ngot:\n%s", want, n.git("ls-tree", "-r", "--name-only", "golden-images-lock"))
	}
	n.body("arm64 is gone")
	if again := n.night("arm64 is gone", "the same difference is not pushed again", "pr list", edit); again != first {
		t.Errorf("a branch with the same files was pushed again: %s, then %s", first, again)
	}
	if next := n.night("s390x is gone too", "another difference is pushed", "pr list", edit); next == first {
		t.Error("a new difference was not pushed")
	}
	n.body("s390x is gone too")
	if got := n.night("", "the registry is back", "pr list", "pr close 7 --delete-branch --comment"); got != "" {
		t.Errorf("the branch is still there: %s", got)
	}
	n.night("", "the pull request is closed once", "pr list")
	n.night("arm64 is gone", "a later difference is a new pull request", "pr list", "pr create")
}

// nights runs the nightly job night by night.
type nights struct {
	*testing.T

	runner
	remote, state string
	steps         []string
	past          int // how many nights there were
}

func newNights(t *testing.T, files map[string]string) *nights {
	t.Helper()
	const workflow = "examples/ci/github/lock.yaml"
	n := &nights{T: t, remote: t.TempDir(), state: t.TempDir()}
	for _, beginning := range []string{"status=0", "goldenarch lock --prune", "branch="} {
		n.steps = append(n.steps, steps(t, workflow, "lock", beginning)[0])
	}
	bin := written(t, map[string]string{
		// The registry differs if there is a file that says how.
		"goldenarch": `#!/bin/sh
case "$*" in
"lock --check --prune source") [ ! -s "$STATE/differs" ] || { cat "$STATE/differs"; exit 3; } ;;
"lock --prune source") cp "$STATE/differs" source/golden-images.lock.yaml ;;
render*) echo rendered; cat source/golden-images.lock.yaml ;;
*) exit 9 ;;
esac
`,
		"gh": `#!/bin/sh
echo "$@" >> "$STATE/calls"
for last; do :; done
case "$1 $2" in
"pr list") cat "$STATE/number" ;;
"pr create") echo 7 > "$STATE/number"; cp "$last" "$STATE/body" ;;
"pr edit") cp "$last" "$STATE/body" ;;
"pr close") : > "$STATE/number"; git push -q origin :golden-images-lock ;;
*) exit 9 ;;
esac
`,
	})
	for _, program := range []string{"goldenarch", "gh"} {
		if err := os.Chmod(filepath.Join(bin, program), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	n.env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
		"STATE="+n.state, "GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e")
	write(t, filepath.Join(n.state, "number"), "")
	dir := laid(t, files)
	n.must(dir,
		"git init -q --bare -b main "+n.remote+"\ngit init -q -b main .\ngit remote add origin "+n.remote+
			"\ngit add .\ngit commit -q -m first\ngit push -q origin main")
	return n
}

// night runs the job in a new clone, as GitHub does, and returns the commit of the branch
// after it. Each wanted call is the beginning of a call of gh.
func (n *nights) night(differs, reason string, calls ...string) string {
	n.Helper()
	write(n.T, filepath.Join(n.state, "differs"), differs)
	write(n.T, filepath.Join(n.state, "calls"), "")
	dir := filepath.Join(n.TempDir(), "clone")
	n.past++ // two commits within a second would have the same name
	script := "git clone -q --depth 1 file://" + n.remote + " " + dir + "\ncd " + dir + "\n(" + n.steps[0] + ")\n" +
		"if grep -q differs=true \"$GITHUB_OUTPUT\"; then\n" +
		n.steps[1] + "\nfi\nexport GIT_COMMITTER_DATE='" + strconv.Itoa(1700000000+n.past) + " +0000'\n(" + n.steps[2] + ")\n"
	n.must(n.TempDir(), script)
	data, err := os.ReadFile(filepath.Join(n.state, "calls"))
	if err != nil {
		n.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	right := len(got) == len(calls)
	for i := range calls {
		right = right && strings.HasPrefix(got[i], calls[i])
	}
	if !right {
		n.Errorf("%s: want the calls of gh\n%s\ngot\n%s", reason, strings.Join(calls, "\n"), data)
	}
	return n.git("for-each-ref", "--format=%(objectname)", "refs/heads/golden-images-lock")
}

// body fails unless the body of the pull request has a text.
func (n *nights) body(want string) {
	n.Helper()
	if got, err := os.ReadFile(filepath.Join(n.state, "body")); err != nil || !strings.Contains(string(got), want) {
		n.Errorf("want %q in the body of the pull request, got %s (%v)", want, got, err)
	}
}

// git runs git in the remote repository.
func (n *nights) git(args ...string) string {
	n.Helper()
	out, err := exec.Command("git", append([]string{"-C", n.remote}, args...)...).CombinedOutput()
	if err != nil {
		n.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (n *nights) must(dir, script string) {
	n.Helper()
	if got := shell(n.T, n.runner, dir, script); got.status != 0 {
		n.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
}

// TestRenderWithoutRendered: the job renders in a repository that has no directory for that.
func TestRenderWithoutRendered(t *testing.T) {
	t.Parallel()
	bin := written(t, map[string]string{"goldenarch": "#!/bin/sh\necho manifests\n"})
	if err := os.Chmod(filepath.Join(bin, "goldenarch"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := runner{env: append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))}
	got := shell(t, r, t.TempDir(), steps(t, "examples/ci/github/render.yaml", "render", "mkdir -p")[0]+"cat rendered/manifests.yaml")
	if got.status != 0 || got.stdout != "manifests\n" {
		t.Errorf("got %+v", got)
	}
}

// TestArtifactName: a repository may have capitals in its name, an image may not.
func TestArtifactName(t *testing.T) {
	t.Parallel()
	bin := written(t, map[string]string{"flux": "#!/bin/sh\necho \"$@\"\n"})
	if err := os.Chmod(filepath.Join(bin, "flux"), 0o755); err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Run string }
		}
	}
	decode(t, "examples/ci/github/render.yaml", &workflow)
	push := workflow.Jobs["render"].Steps[len(workflow.Jobs["render"].Steps)-1].Run
	r := runner{env: append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GITHUB_SERVER_URL=https://github.com", "GITHUB_REPOSITORY=Acme/Virt-Config", "GITHUB_SHA=0", "GITHUB_ACTOR=a", "REGISTRY_PASSWORD=b")}
	got := shell(t, r, t.TempDir(), push)
	if got.status != 0 || !strings.Contains(got.stdout, "oci://ghcr.io/acme/virt-config/virtualization:production ") ||
		!strings.Contains(got.stdout, "--source https://github.com/Acme/Virt-Config ") {
		t.Errorf("status %d, %s%s", got.status, got.stdout, got.stderr)
	}
}

// TestTektonUser: on OpenShift a step runs as a user without a home, in which Go
// could keep nothing.
func TestTektonUser(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(repository(t), "examples/ci/tekton/check.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	tasks := 0
	for document := range strings.SplitSeq(string(data), "\n---\n") {
		var task struct {
			Spec struct {
				Steps []struct {
					Env []struct{ Name, Value string }
				}
			}
		}
		if err := yaml.Unmarshal([]byte(document), &task); err != nil {
			t.Fatal(err)
		}
		tasks++
		places := map[string]string{}
		for _, variable := range task.Spec.Steps[0].Env {
			places[variable.Name] = variable.Value
		}
		if places["HOME"] != "/tmp" {
			t.Errorf("task %d: HOME is %q, want /tmp", tasks, places["HOME"])
		}
		if cache, moved := places["GOCACHE"]; moved { // Go has it below HOME
			t.Errorf("task %d: GOCACHE is %q, want none", tasks, cache)
		}
	}
	if tasks != 2 {
		t.Errorf("want 2 Tasks, got %d", tasks)
	}
}
