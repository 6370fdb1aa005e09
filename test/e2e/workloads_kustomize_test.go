package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

const shopExample = "examples/workloads/kustomize"

// TestWorkloadsInKustomize: the real kustomize runs goldenarch on the pods of a
// kustomization.
func TestWorkloadsInKustomize(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")
	render := func(t *testing.T, dir string) outcome {
		t.Helper()
		return r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir)
	}

	t.Run("Example", func(t *testing.T) {
		t.Parallel()
		got := render(t, filepath.Join(repository(t), shopExample, "production"))
		if got.status != 0 {
			t.Fatalf("status %d, want 0\n%s", got.status, got.stderr)
		}
		for _, block := range blocks(t, "examples/workloads/README.md", "yaml") {
			if !strings.Contains(got.stdout, block) {
				t.Errorf("the README promises\n%s\nwhich is not in the output\n%s", block, got.stdout)
			}
		}
		if kinds := kinds(got.stdout); !cmp.Equal(kinds, []string{"Deployment", "StatefulSet", "CronJob"}) {
			t.Errorf("the output has the kinds %q: lock and configuration are never applied", kinds)
		}
		if strings.Contains(got.stderr, "warning") || strings.Contains(got.stderr, "error") {
			t.Errorf("the example is not clean:\n%s", got.stderr)
		}
		inProcess := r.run(t, own(t, r), "render", filepath.Join(repository(t), shopExample, "production"))
		if diff := cmp.Diff(got.stdout, inProcess.stdout); diff != "" {
			t.Errorf("goldenarch render writes something else than kustomize (-kustomize +render):\n%s", diff)
		}
	})

	t.Run("SecondRunChangesNothing", func(t *testing.T) {
		t.Parallel()
		first := render(t, filepath.Join(repository(t), shopExample, "production"))
		again := copied(t, shopExample)
		write(t, filepath.Join(again, "base/shop.yaml"), first.stdout)
		second := render(t, filepath.Join(again, "production"))
		if diff := cmp.Diff(first.stdout, second.stdout); diff != "" {
			t.Errorf("a run on its own output changes something:\n%s", diff)
		}
	})

	t.Run("NothingInCommonFailsTheBuild", func(t *testing.T) {
		t.Parallel()
		dir := copied(t, shopExample)
		replaceIn(t, filepath.Join(dir, "production/workload-architectures.yaml"), "  mode: Affinity\n", "  mode: Affinity\n  limitTo: [ppc64le]\n")
		got := render(t, filepath.Join(dir, "production"))
		if got.status != 1 || got.stdout != "" || !strings.Contains(got.stderr, "error GA701 Deployment/web") {
			t.Errorf("status %d, %d bytes of output and\n%s", got.status, len(got.stdout), got.stderr)
		}
	})

	t.Run("RegistryIsAskedOncePerImage", func(t *testing.T) {
		t.Parallel()
		registry := shopRegistry(t)
		dir := copied(t, shopExample)
		for _, file := range []string{"base/shop.yaml", "production/workload-architectures.yaml"} {
			text := tree(t, dir)[file]
			text = strings.ReplaceAll(text, "registry.example.com", registry.Host())
			text = strings.Replace(text, "  lock:\n    mode: Require\n", "  lock:\n    mode: Ignore\n  registry:\n    insecure: ["+registry.Host()+"]\n", 1)
			write(t, filepath.Join(dir, file), text)
		}
		got := render(t, filepath.Join(dir, "production"))
		locked := render(t, filepath.Join(repository(t), shopExample, "production"))
		if diff := cmp.Diff(locked.stdout, strings.ReplaceAll(got.stdout, registry.Host(), "registry.example.com")); diff != "" {
			t.Errorf("status %d: the registry gives something else than the lock (-lock +registry):\n%s\n%s", got.status, diff, got.stderr)
		}
		if asked := registry.Counts().Manifest; asked != 4 {
			t.Errorf("want 4 manifests asked for, one for each image, got %d", asked)
		}
	})
}

// shopRegistry serves the images of the examples.
func shopRegistry(t *testing.T) *registrytest.Server {
	t.Helper()
	s, err := registrytest.Start(registrytest.Options{PlainHTTP: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	three, two := registrytest.AttestedIndex("linux/amd64", "linux/arm64", "linux/s390x"), registrytest.AttestedIndex("linux/amd64", "linux/arm64")
	s.Push("shop/web:2.3", three).Push("shop/proxy:1.27", two).Push("shop/db:16", three).Push("shop/report:0.9", registrytest.Image("linux/amd64"))
	s.Push("acme/operator:v1.2.0", three).Push("acme/agent:v1.2.0", two)
	s.Push("acme/kube-rbac-proxy:v0.16.0", registrytest.AttestedIndex("linux/amd64", "linux/arm64", "linux/ppc64le", "linux/s390x"))
	return s
}

// workloadsInTheImage: the example by the container image gives what the program gives.
func workloadsInTheImage(t *testing.T, e engines) {
	r := e.docker(t)
	kustomize := build(t, filepath.Join(repository(t), "tools"), "sigs.k8s.io/kustomize/kustomize/v5", "kustomize")
	program := r.run(t, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", filepath.Join(repository(t), shopExample, "production"))
	image := r.run(t, kustomize, "build", "--enable-alpha-plugins", filepath.Join(repository(t), shopExample, "image"))
	if image.status != 0 || !strings.Contains(image.stdout, "goldenarch.dev/node-affinity: amd64,arm64\n") {
		t.Errorf("status %d\n%s%s", image.status, image.stdout, image.stderr)
	}
	if diff := cmp.Diff(program, image, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("the image writes something else than the program (-program +image):\n%s", diff)
	}
	refused := copied(t, shopExample)
	replaceIn(t, filepath.Join(refused, "image/workload-architectures.yaml"), "  mode: Affinity\n", "  mode: Affinity\n  limitTo: [ppc64le]\n")
	got := r.run(t, kustomize, "build", "--enable-alpha-plugins", filepath.Join(refused, "image"))
	if got.status != 1 || got.stdout != "" || !strings.HasPrefix(got.stderr, "error GA701") {
		t.Errorf("status %d, %d bytes of output and\n%s", got.status, len(got.stdout), got.stderr)
	}
}
