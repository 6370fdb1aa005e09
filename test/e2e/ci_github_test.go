package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestLockPullRequest: what the workflow refreshed is in the commit, new files as
// well.
func TestLockPullRequest(t *testing.T) {
	t.Parallel()
	const workflow = "examples/ci/github/lock.yaml"
	bin := written(t, map[string]string{
		"goldenarch": "#!/bin/sh\ncase $1 in lock) echo lock > source/golden-images.lock.yaml ;; render) echo rendered ;; esac\n",
		"gh":         "#!/bin/sh\necho \"$@\" >> gh.log\n[ \"$2\" != view ]\n",
	})
	for _, program := range []string{"goldenarch", "gh"} {
		if err := os.Chmod(filepath.Join(bin, program), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := runner{env: append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1")}
	dir := laid(t, map[string]string{"source/hyperconverged.yaml": "a: b\n"})
	remote := t.TempDir()
	prepare := "git init -q --bare " + remote + "\ngit init -q .\ngit remote add origin " + remote +
		"\ngit -c user.name=n -c user.email=e commit -q --allow-empty -m first\n"
	script := prepare + steps(t, workflow, "lock", "goldenarch lock --prune")[0] + "\n" + steps(t, workflow, "lock", "git config")[0]
	if got := shell(t, r, dir, script); got.status != 0 {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	list, err := exec.Command("git", "-C", remote, "ls-tree", "-r", "--name-only", "golden-images-lock").CombinedOutput()
	if want := "rendered/manifests.yaml\nsource/golden-images.lock.yaml\nsource/hyperconverged.yaml\n"; err != nil || string(list) != want {
		t.Errorf("want the new files pushed:\n%s\ngot (%v):\n%s", want, err, list)
	}
	calls, err := os.ReadFile(filepath.Join(dir, "gh.log"))
	if err != nil || !strings.Contains(string(calls), "pr create --head golden-images-lock") {
		t.Errorf("no pull request was opened (%v): %s", err, calls)
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
	if got.status != 0 || !strings.Contains(got.stdout, "oci://ghcr.io/acme/virt-config/virtualization:production ") || !strings.Contains(got.stdout, "--source https://github.com/Acme/Virt-Config ") {
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
		for _, name := range []string{"HOME", "GOCACHE"} {
			if !strings.HasPrefix(places[name], "/tmp/") {
				t.Errorf("task %d: %s is %q, want it below /tmp", tasks, name, places[name])
			}
		}
	}
	if tasks != 2 {
		t.Errorf("want 2 Tasks, got %d", tasks)
	}
}
