package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestInitChecksForks: the pipelines that init writes pass a harmless change of a fork, and fail one that is wrong. They name the
// registries that only such a run needs to know.
func TestInitChecksForks(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	l.registry.Push("x/arm:1", registrytest.Index("linux/arm64"))
	cr := strings.Replace(l.cr("x/fedora:1"), "metadata: {name: kubevirt-hyperconverged}", "metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}", 1)
	cr = strings.Replace(cr, "{source: {registry", "{storage: {resources: {requests: {storage: 5Gi}}}, source: {registry", 1)
	for _, tc := range []struct {
		reason string
		locked bool
		change func(cr string) string
		fails  bool
	}{
		{reason: "a comment", change: func(cr string) string { return cr + "# a word\n" }},
		{reason: "a comment, and the branch has a lock", locked: true, change: func(cr string) string { return cr + "# a word\n" }},
		{
			reason: "another image that not all nodes can run", fails: true,
			change: func(cr string) string { return strings.Replace(cr, "x/fedora:1", "x/arm:1", 1) },
		},
	} {
		dir := t.TempDir()
		initialised(t, dir)
		commitTree(t, dir, map[string]string{
			"virt/hco.yaml": cr, "virt/config.yaml": configured("registry: {insecure: ['" + l.registry.Host() + "']}"),
			".github/workflows/build.yaml": "on: push\n", ".gitlab-ci.yml": "build: {script: [make]}\n",
		})
		if tc.locked {
			if out, status := inTree(t, dir, nil, "lock", "virt"); status != statusOK {
				t.Fatalf("%s: lock ends with %d\n%s", tc.reason, status, out)
			}
		}
		out, status := inTree(t, dir, nil, "init", "virt", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64")
		if status != statusOK || strings.Contains(out, "no pipeline gets a check") {
			t.Fatalf("%s: init ends with %d\n%s", tc.reason, status, out)
		}
		commitTree(t, dir, nil)
		git(t, dir, "", "tag", "base")
		text := filetest.Read(t, filepath.Join(dir, "virt", "hco.yaml"))
		commitTree(t, dir, map[string]string{"virt/hco.yaml": tc.change(string(text))})
		for _, command := range checksOf(t, dir) {
			if got := strings.Contains(command, "--registry-allow \""+l.registry.Host()+"\""); got == tc.locked {
				t.Errorf("%s: the registry is listed: %t, and there is a lock: %t\n%s", tc.reason, got, tc.locked, command)
			}
			for _, trust := range []string{"", "--untrusted --base base"} {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "TRUST="+trust, "PATH="+programDir(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
				out, err := cmd.CombinedOutput()
				if failed := err != nil; failed != tc.fails {
					t.Errorf("%s: with TRUST=%q, %s ends with %v\n%s", tc.reason, trust, command, err, out)
				}
			}
		}
	}
}

// checksOf returns the commands with which the workflow and the job of GitLab check.
func checksOf(t *testing.T, dir string) []string {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run string `json:"run"`
			} `json:"steps"`
		} `json:"jobs"`
	}
	var gitLab struct {
		Goldenarch struct {
			Script []string `json:"script"`
		} `json:"goldenarch"`
	}
	for name, into := range map[string]any{".github/workflows/golden-images.yaml": &workflow, ".gitlab-ci.yml": &gitLab} {
		text := filetest.Read(t, filepath.Join(dir, name))
		if err := yaml.Unmarshal(text, into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	steps, script := workflow.Jobs["check"].Steps, gitLab.Goldenarch.Script
	return []string{steps[len(steps)-1].Run, script[len(script)-1]}
}

// TestInitSaysThatNothingChecks: where init writes no check into a pipeline, it says so, and what to do, also where there is nothing
// else to write.
func TestInitSaysThatNothingChecks(t *testing.T) {
	t.Parallel()
	const noPipeline = "neither .github/workflows nor .gitlab-ci.yml"
	const operator = "copy examples/ci/github/operator.yaml"
	deployment := strings.Replace(armPod, "nodeSelector: {kubernetes.io/arch: arm64}", "priorityClassName: high", 1)
	project := map[string]string{
		"PROJECT": "layout: [go.kubebuilder.io/v4]\nversion: \"3\"\n", "config/kustomization.yaml": "resources: [pod.yaml]\n", "config/pod.yaml": deployment,
	}
	virt := map[string]string{"virt/hco.yaml": plainCR}
	for _, tc := range []struct {
		reason, dir, adds string
		files             map[string]string
		noGit             bool
		args              []string
		says              string
	}{
		{reason: "a repository without a pipeline", dir: "virt", files: virt, says: noPipeline},
		{reason: "one with workflows", dir: "virt", files: virt, adds: ".github/workflows/build.yaml"},
		{reason: "one with a pipeline of GitLab", dir: "virt", files: virt, adds: ".gitlab-ci.yml"},
		{reason: "kustomize runs goldenarch", dir: "virt", files: map[string]string{
			"virt/hco.yaml": plainCR, "virt/kustomization.yaml": "resources: [hco.yaml]\n",
		}, args: []string{"--host", "kustomize"}, says: noPipeline},
		{reason: "no repository", dir: "virt", files: virt, noGit: true, says: "outside of a Git repository"},
		{reason: "an operator", dir: ".", files: project, args: []string{"--image", "quay.example/own:1=amd64"}, says: operator},
		{
			reason: "an operator whose workflows do not know goldenarch", dir: ".", files: project, adds: ".github/workflows/build.yaml",
			args: []string{"--image", "quay.example/own:1=amd64"}, says: operator,
		},
	} {
		dir := filetest.New(t, tc.files)
		if !tc.noGit {
			git(t, dir, "", "init", "--quiet")
		}
		if tc.adds != "" {
			commitTree(t, dir, map[string]string{tc.adds: "a: {script: [make]}\n"})
		}
		args := append([]string{"init", tc.dir, "--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"}, tc.args...)
		for _, run := range []string{"the first run", "the second run"} {
			out, status := inTree(t, dir, nil, args...)
			said := 0
			for _, text := range []string{noPipeline, "outside of a Git repository", operator} {
				if strings.Contains(out, text) {
					said++
				}
			}
			if status != statusOK || !strings.Contains(out, tc.says) || said != min(len(tc.says), 1) || run == "the second run" && !strings.Contains(out, "nothing to write") {
				t.Errorf("%s, %s: init ends with %d, want %q\n%s", tc.reason, run, status, tc.says, out)
			}
		}
	}
}

// TestStatedImagesAreForOneRun: init and fix say that nothing keeps what --image states.
func TestStatedImagesAreForOneRun(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"init", "fix"} {
		for _, image := range []string{"", "quay.example/own:1=amd64,arm64"} {
			dir := writeTree(t, map[string]string{"virt/hco.yaml": strangersCR, "virt/lock.yaml": lockOf("quay.example/own:1", "amd64", "arm64")})
			args := []string{verb, "virt", "--offline", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"}
			if image != "" {
				args = append(args, "--image", image)
			}
			out, status := inTree(t, dir, nil, args...)
			if says := strings.Contains(out, "--image holds for this run only. To keep what it states, write it into spec.overrides"); status != statusOK || says != (image != "") {
				t.Errorf("%s with --image %q ends with %d\n%s", verb, image, status, out)
			}
		}
	}
}
