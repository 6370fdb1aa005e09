package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// stamp is what the tests' images are stamped with.
const (
	stampVersion = "v0.0.0-test"
	stampCommit  = "0123456789abcdef0123456789abcdef01234567"
	stampDate    = "2026-01-02T03:04:05Z"
	stampEpoch   = 1767323045
)

const imageName = "localhost/goldenarch:test"

// TestImage builds the image of the repository and runs it, by itself and in
// kustomize and kpt.
func TestImage(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	e := newEngines(t, r)
	e.goBuilder(t)
	source := snapshot(t, repository(t))
	said := e.make(t, source, "image", "ENGINE=buildah", "IMAGE="+imageName)
	if !strings.Contains(said.stdout, "with buildah") {
		t.Errorf("ENGINE=buildah did not build with it:\n%s", said.stdout)
	}
	// What the examples name is what was built.
	e.must(t, "podman", "tag", imageName, publishedImage)

	// The image is there until all of these are done.
	t.Run("group", func(t *testing.T) {
		t.Run("IsTheSameEachTime", func(t *testing.T) { imageIsTheSameEachTime(t, e, source) })
		t.Run("EngineThatWorksIsTaken", func(t *testing.T) { engineThatWorksIsTaken(t, e, source) })
		t.Run("NoEngine", func(t *testing.T) { noEngine(t, e, source) })
		t.Run("RunsRestricted", func(t *testing.T) { imageRunsRestricted(t, e) })
		t.Run("AllPlatforms", func(t *testing.T) { imageHasAllPlatforms(t, e, source) })
		t.Run("Archive", func(t *testing.T) { imageArchive(t, e, source) })
		t.Run("Kustomize", func(t *testing.T) { kustomizeRunsTheImage(t, e) })
		t.Run("Kpt", func(t *testing.T) { kptRunsTheImage(t, e) })
	})
}

// snapshot copies what an image is built from: others may work in the repository
// while the test builds.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	e := engines{runner: runner{env: os.Environ()}}
	e.must(t, "bash", "-c", `cd "$1" && tar -c --exclude=./.git --exclude=./bin --exclude=./dist --exclude=./test . | tar -x -C "$2"`, "-", dir, to)
	return to
}

// make runs make in a directory, with the tests' stamps.
func (e engines) make(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	got := e.tryMake(t, dir, args...)
	if got.status != 0 {
		t.Fatalf("make %s: status %d\n%s%s", strings.Join(args, " "), got.status, got.stdout, got.stderr)
	}
	return got
}

func (e engines) tryMake(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	e.runner = e.with("IMAGE_FLAGS=--pull=never --network=host")
	return e.run(t, "make", slices.Concat([]string{
		"-C", dir, "VERSION=" + stampVersion, "COMMIT=" + stampCommit, "DATE=" + stampDate, fmt.Sprint("EPOCH=", stampEpoch),
	}, args)...)
}

func (e engines) id(t *testing.T, image string) string {
	t.Helper()
	return e.must(t, "podman", "image", "inspect", "--format", "{{.Id}}", image)
}

func imageIsTheSameEachTime(t *testing.T, e engines, source string) {
	elsewhere := snapshot(t, source)
	now := time.Now()
	for _, file := range []string{"main.go", "Dockerfile", "go.mod", "cmd"} {
		if err := os.Chtimes(filepath.Join(elsewhere, file), now, now); err != nil {
			t.Fatal(err)
		}
	}
	e.make(t, elsewhere, "image", "ENGINE=buildah", "IMAGE=localhost/goldenarch:again")
	if first, again := e.id(t, imageName), e.id(t, "localhost/goldenarch:again"); first != again {
		t.Errorf("the same source gave %s and, elsewhere and later, %s", first, again)
	}
}

func engineThatWorksIsTaken(t *testing.T, e engines, source string) {
	// A docker without its daemon.
	shim := t.TempDir()
	if err := os.WriteFile(filepath.Join(shim, "docker"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	e.runner = e.with("PATH=" + shim + string(os.PathListSeparator) + os.Getenv("PATH"))
	said := e.make(t, source, "image", "IMAGE=localhost/goldenarch:podman")
	if !strings.Contains(said.stdout, "with podman") {
		t.Errorf("expected podman, where docker does not work:\n%s", said.stdout)
	}
	if got := e.must(t, "podman", "run", "--rm", "--network=none", "localhost/goldenarch:podman", "version"); !strings.Contains(got, stampVersion) {
		t.Errorf("got %q, expected the version %s", got, stampVersion)
	}
}

func noEngine(t *testing.T, e engines, source string) {
	got := e.tryMake(t, source, "image", "ENGINE=nosuch")
	if got.status == 0 || !strings.Contains(got.stderr, "no engine works here, looked for nosuch") {
		t.Errorf("status %d, expected a failure in clear words\n%s", got.status, got.stderr)
	}
}

// imageRunsRestricted runs the function as hosts do, down to an Argo CD sidecar:
// any user, no capability, no network, a root that cannot be written. The answer
// is that of the program on this machine.
func imageRunsRestricted(t *testing.T, e engines) {
	input := resourceList(t)
	plain := e.runWith(t, input, "env", "goldenarch")
	if plain.status != 0 || !strings.Contains(plain.stdout, "dict.architectures: amd64,arm64,s390x") {
		t.Fatalf("without a container: status %d\n%s%s", plain.status, plain.stdout, plain.stderr)
	}
	sidecar := []string{"--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--security-opt=no-new-privileges"}
	for name, args := range map[string][]string{
		"AsItIs":              nil,
		"AsKustomizeAndKptDo": {"--user=nobody", "--security-opt=no-new-privileges"},
		"AsNobody":            sidecar,
		"AsArgoCD":            append(slices.Clone(sidecar), "--user=999"),
		"AsAnyoneOnOpenShift": append(slices.Clone(sidecar), "--user=1000650000:0"),
	} {
		t.Run(name, func(t *testing.T) {
			got := e.runWith(t, input, "podman", slices.Concat([]string{"run", "--rm", "-i", "--network=none"}, args, []string{imageName})...)
			if diff := cmp.Diff(plain, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("in a container it does something else (-plain +container):\n%s", diff)
			}
		})
	}
}

// resourceList makes the kpt example one document, with the lock among its items.
func resourceList(t *testing.T) string {
	t.Helper()
	files := tree(t, filepath.Join(repository(t), "examples/kpt"))
	indent := func(file string) string {
		return "    " + strings.ReplaceAll(strings.TrimSuffix(files[file], "\n"), "\n", "\n    ") + "\n"
	}
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n" + indent("golden-images.yaml") + "items:\n"
	for _, file := range []string{"hyperconverged.yaml", "nodes.yaml", "golden-images.lock.yaml"} {
		list += "  -\n" + indent(file)
	}
	return list
}
