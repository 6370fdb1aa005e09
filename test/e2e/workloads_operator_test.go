package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	operatorExample = "examples/workloads/operator"
	managerFile     = "config/manager/manager.yaml"
	csvFile         = "bundle/manifests/acme.clusterserviceversion.yaml"
)

// TestOperator fixes the repository of an operator as the README of the example says.
func TestOperator(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	goldenarch := own(t, r)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")
	dir := copied(t, operatorExample)
	r.dir = dir
	before := tree(t, dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	verb := func(name, path string, args ...string) outcome {
		return r.run(t, goldenarch, append([]string{name, in(path), in("golden-images.lock.yaml")}, args...)...)
	}
	if got := verb("check", "bundle", "--offline", "--fail-on", "warning"); got.status != 1 || !strings.Contains(got.stdout, "warning GA713") {
		t.Errorf("status %d: the labels of the bundle are missing\n%s%s", got.status, got.stdout, got.stderr)
	}
	for _, path := range []string{"config/default", "bundle"} {
		if got := verb("fix", path, "--config", in("workload-architectures.yaml"), "--offline"); got.status != 0 {
			t.Fatalf("fix %s: status %d\n%s", path, got.status, got.stderr)
		}
	}
	after := tree(t, dir)
	for file, language := range map[string]string{managerFile: "diff config", csvFile: "diff bundle"} {
		if diff := cmp.Diff(promised(t, language), added(t, before[file], after[file])); diff != "" {
			t.Errorf("%s got other lines than the README promises (-README +file):\n%s", file, diff)
		}
		before[file] = after[file]
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("other files were touched:\n%s", diff)
	}
	built := r.run(t, kustomize, "build", in("config/default"))
	if !strings.Contains(built.stdout, "- key: kubernetes.io/arch\n") ||
		!strings.Contains(built.stdout, "name: acme-controller-manager") || !strings.Contains(built.stdout, "name: kube-rbac-proxy") {
		t.Errorf("status %d: what kustomize builds of config/ has no node affinity\n%s%s", built.status, built.stdout, built.stderr)
	}
	for _, path := range []string{"config/default", "bundle"} {
		if got := verb("fix", path, "--config", in("workload-architectures.yaml"), "--offline", "--check"); got.status != 0 {
			t.Errorf("a second fix of %s changes something: status %d\n%s", path, got.status, got.stderr)
		}
		if got := verb("check", path, "--workloads", "Check", "--offline", "--fail-on", "warning"); got.status != 0 {
			t.Errorf("check %s after fix: status %d\n%s%s", path, got.status, got.stdout, got.stderr)
		}
	}
}

// TestOperatorRecipe runs the steps of the workflow for operators, with a registry.
func TestOperatorRecipe(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	script := strings.Join(steps(t, "examples/ci/github/operator.yaml", "architectures", "goldenarch "), "\n")
	if strings.Count(script, "goldenarch check") != 2 || !strings.Contains(script, "goldenarch fix") {
		t.Fatalf("the recipe does something else:\n%s", script)
	}
	registry := shopRegistry(t)
	conf := filepath.Join(t.TempDir(), "registries.conf")
	write(t, conf, "[[registry]]\nprefix = \"registry.example.com\"\nlocation = \""+registry.Host()+"\"\ninsecure = true\n")
	// The steps name no registry, so that the flag for this one is added to each.
	shim := t.TempDir()
	write(t, filepath.Join(shim, "goldenarch"), "#!/bin/sh\nexec '"+own(t, r)+"' \"$@\" --registries-conf '"+conf+"'\n")
	if err := os.Chmod(filepath.Join(shim, "goldenarch"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.env = append(r.env, "PATH="+shim+string(os.PathListSeparator)+os.Getenv("PATH"))

	unfixed := copied(t, operatorExample)
	if got := shell(t, r, unfixed, script); got.status != 1 ||
		!strings.Contains(got.stdout, "::error file=bundle/manifests/acme.clusterserviceversion.yaml,line=3,title=GA713 ") {
		t.Errorf("status %d where labels are missing\n%s%s", got.status, got.stdout, got.stderr)
	}
	fixed := copied(t, operatorExample)
	fix := "goldenarch fix config/default --config workload-architectures.yaml\ngoldenarch fix bundle --config workload-architectures.yaml\n"
	if got := shell(t, r, fixed, fix+script); got.status != 0 {
		t.Errorf("status %d where all is right\n%s%s", got.status, got.stdout, got.stderr)
	}
	// A release whose image lost an architecture.
	stale := copied(t, operatorExample)
	if got := shell(t, r, stale, fix); got.status != 0 {
		t.Fatalf("status %d\n%s", got.status, got.stderr)
	}
	replaceIn(t, filepath.Join(stale, "config/manager/kustomization.yaml"), "acme/operator\n  newTag: v1.2.0", "acme/agent\n  newTag: v1.2.0")
	if got := shell(t, r, stale, script); got.status != 1 || !strings.Contains(got.stdout, "title=GA701 ") || !strings.Contains(got.stdout, "s390x") {
		t.Errorf("status %d where the image lacks an architecture\n%s%s", got.status, got.stdout, got.stderr)
	}
	gone := copied(t, operatorExample)
	replaceIn(t, filepath.Join(gone, csvFile), "acme/operator:v1.2.0", "acme/operator:v9")
	if got := shell(t, r, gone, script); got.status != 1 || !strings.Contains(got.stdout, "title=GA201 ") {
		t.Errorf("status %d where an image is not pushed yet\n%s%s", got.status, got.stdout, got.stderr)
	}
}
