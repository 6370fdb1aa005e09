package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// unstated is a CR with one template, whose image no registry of a test has.
const unstated = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata: {name: kubevirt-hyperconverged, namespace: kubevirt-hyperconverged}
spec:
  dataImportCronTemplates:
  - metadata: {name: a}
    spec:
      schedule: "0 0 * * *"
      managedDataSource: a
      template: {spec: {source: {registry: {url: "docker://registry.example/acme/a:1"}}, storage: {resources: {requests: {storage: 5Gi}}}}}
`

// TestFirstMessage: without node facts the first message names all ways to state them, and
// no architecture that somebody could copy.
func TestFirstMessage(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"check", "render", "forecast"} {
		_, out, errs := runFed(t, unstated, verb, "-")
		_, text, _ := strings.Cut(onOneLine(out+errs), "nothing in the input says which architectures the workload nodes have")
		text, _, _ = strings.Cut(text, "\n")
		for _, way := range []string{"--live FILE", "--nodes FILE", "Fleet (goldenarch.yaml)", "--workload-architectures", "spec.cluster"} {
			if !strings.Contains(text, way) {
				t.Errorf("%s: %q is not in %q", verb, way, text)
			}
		}
		if strings.Contains(text, "amd64") || strings.Contains(text, "arm64") {
			t.Errorf("%s: an example looks like a fact: %q", verb, text)
		}
	}
}

// TestStatedImage: --image states what an image has, for templates and for pods, and wins
// over the configuration.
func TestStatedImage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yaml")
	const text = "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: c}\n" +
		"spec: {overrides: [{image: \"registry.example/acme/a:1\", architectures: [s390x]}]}\n"
	filetest.File(t, config, text)
	ofTemplate := filepath.Join(dir, "template.yaml")
	filetest.File(t, ofTemplate, strings.Replace(text, `image: "registry.example/acme/a:1"`, "template: a", 1))
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: \"registry.example/acme/p:1\"}]}\n"
	nodes := []string{"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--release", "1.19", "--offline"}
	for _, tc := range []struct {
		reason, verb, stdin string
		args                []string
		status              int
		stdout, stderr      string
	}{
		{"a template", "render", unstated, []string{"--image", "registry.example/acme/a:1=arm64,x86_64"}, 0, "amd64,arm64", ""},
		{
			reason: "the flag wins over the configuration, by whatever name it has the image", verb: "render", stdin: unstated,
			args: []string{"--config", config, "--image", "docker://registry.example/acme/a:1=arm64"}, stdout: "dict.architectures: arm64",
		},
		{
			reason: "the flag wins over an override of the template", verb: "render", stdin: unstated,
			args: []string{"--config", ofTemplate, "--image", "registry.example/acme/a:1=arm64"}, stdout: "dict.architectures: arm64",
		},
		{"a pod", "render", pod, []string{"--workloads", "Affinity", "--image", "registry.example/acme/p:1=arm64"}, 0, "values: [arm64]", ""},
		{
			reason: "no template has the image", verb: "render", stdin: unstated,
			args:   []string{"--image", "registry.example/acme/a:1=arm64", "--image", "registry.example/other=amd64"},
			stdout: "arm64", stderr: `GA206: the flag --image states the architectures of "registry.example/other"`,
		},
		{"no architectures", "render", unstated, []string{"--image", "registry.example/acme/a:1"}, 2, "", "has no architectures"},
		{"an unknown architecture", "check", unstated, []string{"--image", "registry.example/acme/a:1=arm46"}, 2, "", `did you mean "arm64"?`},
		{"not an image", "check", unstated, []string{"--image", "A B=arm64"}, 2, "", "flag --image"},
		{
			reason: "an image twice", verb: "check", stdin: unstated, status: 2, stderr: "two of them",
			args: []string{"--image", "registry.example/a:1=arm64", "--image", "docker://registry.example/a:1=amd64"},
		},
	} {
		status, out, errs := runFed(t, tc.stdin, append(append([]string{tc.verb, "-"}, nodes...), tc.args...)...)
		if status != tc.status || !strings.Contains(out, tc.stdout) || !strings.Contains(errs, tc.stderr) {
			t.Errorf("%s: status %d\n%s%s", tc.reason, status, out, errs)
		}
	}
}

// TestOfflineEverywhere: every verb takes --offline that does more than query registries. The
// others say so.
func TestOfflineEverywhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "hco.yaml")
	filetest.File(t, file, unstated)
	for _, tc := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"render", file}, 1, "GA114"},
		{[]string{"check", file}, 1, "GA114"},
		{[]string{"forecast", file}, 0, "workload unknown"},
		{[]string{"fix", file}, 1, "GA114"},
		{[]string{"customize", "fedora-image-cron", "--disable", "--diff", file}, 3, "+"},
		{[]string{"init", dir}, 1, "GA845"},
		{[]string{"lock", file}, 2, "unknown flag: --offline"},
		{[]string{"resolve", "registry.example/a:1"}, 2, "unknown flag: --offline"},
	} {
		status, out, errs := runFed(t, "", append(tc.args, "--offline")...)
		if status != tc.status || !strings.Contains(out+errs, tc.says) {
			t.Errorf("%q: status %d\n%s%s", tc.args, status, out, errs)
		}
	}
}

// TestNothingToFix: fix fails where check does, because a wrong path is no success.
func TestNothingToFix(t *testing.T) {
	t.Parallel()
	for reason, files := range map[string]map[string]string{
		"an empty directory": {},
		"a template":         {"a.yaml": "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: {{ .Values.name }}}\n"},
		"another object":     {"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"},
	} {
		dir := filetest.New(t, files)
		for _, verb := range []string{"check", "fix"} {
			for _, path := range []string{dir, filepath.Join(dir, "a.yaml")} {
				if path != dir && len(files) == 0 {
					continue
				}
				status, out, errs := runFed(t, "", verb, path, "--offline", "--workload-architectures", "amd64")
				if status != 1 || !strings.Contains(out+errs, "error GA") {
					t.Errorf("%s: %s %s: status %d\n%s%s", reason, verb, path, status, out, errs)
				}
			}
		}
	}
}
