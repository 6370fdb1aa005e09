package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// helms returns the real Helm 3 and Helm 4, each with the arguments that call goldenarch
// as its post-renderer, as the README of the example says.
func helms(t *testing.T, r runner, dir string) map[string]helm {
	t.Helper()
	out := map[string]helm{}
	for major, pkg := range map[string]string{"helm3": "helm.sh/helm/v3/cmd/helm", "helm4": "helm.sh/helm/v4/cmd/helm"} {
		program := build(t, filepath.Join(repository(t), "test/e2e", major), pkg, "helm")
		// Plugins of one Helm are an error to the other one.
		own := runner{env: append(append([]string{}, r.env...), "HOME="+t.TempDir(), "PATH="+filepath.Dir(program)+":"+r.lookup("PATH"))}
		out[major] = helm{runner: own, dir: dir}
	}
	three, four := out["helm3"], out["helm4"]
	for argument := range strings.FieldsSeq(pluginArguments(t)) {
		three.postRender += " --post-renderer-args " + argument
	}
	three.postRender = " --post-renderer goldenarch" + three.postRender
	four.postRender = " --post-renderer goldenarch"
	if got := shell(t, four.runner, dir, "helm plugin install plugin"); got.status != 0 {
		t.Fatalf("Helm 4 does not accept the plugin: %+v", got)
	}
	return map[string]helm{"helm3": three, "helm4": four}
}

type helm struct {
	runner

	dir, postRender string
}

func (h helm) shell(t *testing.T, command string) outcome {
	t.Helper()
	return shell(t, h.runner, h.dir, command)
}

// TestHelmPrograms runs the example's chart through the real Helm 3 and 4.
func TestHelmPrograms(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	dir := copied(t, helmExample)
	const template = "helm template virtualization chart --namespace openshift-cnv"
	for name, h := range helms(t, r, dir) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// What Helm renders is what the example and the other tests have as a file.
			rendered := h.shell(t, template)
			if diff := cmp.Diff(tree(t, dir)["rendered.yaml"], rendered.stdout); diff != "" {
				t.Errorf("rendered.yaml is not what Helm makes of the chart (-file +helm):\n%s", diff)
			}
			piped := h.shell(t, template+" | goldenarch render - --config golden-images.yaml")
			if piped.status != 0 || !strings.Contains(piped.stdout, "dict.architectures: amd64,arm64,s390x") || !strings.Contains(piped.stderr, "warning GA107") {
				t.Errorf("in a pipe, findings and manifests are there: %+v", piped)
			}
			// Helm writes documents of its own around them, and drops comments.
			hooked := h.shell(t, template+h.postRender)
			if diff := cmp.Diff(objects(t, piped.stdout), objects(t, hooked.stdout)); diff != "" || hooked.status != 0 {
				t.Errorf("as a post-renderer it writes something else than in a pipe (-pipe +post-renderer), status %d:\n%s\n%s", hooked.status, diff, hooked.stderr)
			}
			// Both Helms hide the findings of a run that succeeds. Should one begin to show
			// them, the README need not recommend the pipe.
			if strings.Contains(hooked.stderr, "GA107") {
				t.Errorf("Helm shows the findings now:\n%s", hooked.stderr)
			}
			file := filepath.Join(t.TempDir(), "findings.txt")
			toFile := " --post-renderer-args --findings-file --post-renderer-args " + file
			if got := h.shell(t, template+h.postRender+toFile); got.status != 0 || readFile(t, file) != piped.stderr {
				t.Errorf("the file has other findings than standard error of a pipe (-pipe +file), status %d:\n%s", got.status, cmp.Diff(piped.stderr, readFile(t, file)))
			}
			h.fails(t, template, file, toFile)
		})
	}
}

// fails has goldenarch find an error: Helm renders nothing, and the file says why.
func (h helm) fails(t *testing.T, template, file, toFile string) {
	t.Helper()
	write(t, filepath.Join(filepath.Dir(file), "nodes-unknown.yaml"),
		"apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: x}\nspec: {release: \"4.20\"}\n")
	for reason, tc := range map[string]struct{ config, want string }{
		"an error finding":     {"nodes-unknown.yaml", "error GA114"},
		"an error of its call": {"does-not-exist.yaml", "goldenarch: "},
	} {
		config := " --post-renderer-args --config --post-renderer-args " + filepath.Join(filepath.Dir(file), tc.config)
		got := h.shell(t, template+h.postRender+toFile+config)
		if got.status == 0 || got.stdout != "" {
			t.Errorf("%s: Helm would apply something: %+v", reason, got)
		}
		if said := readFile(t, file); !strings.Contains(said, tc.want) {
			t.Errorf("%s: the file has\n%s", reason, said)
		}
	}
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
