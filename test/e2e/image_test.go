package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
	e.runner = e.with("IMAGE_FLAGS=" + e.goBuilder(t))
	source := snapshot(t, repository(t))
	engineThatWorksIsTaken(t, e, source)
	// What the examples name is what was built.
	e.must(t, "podman", "tag", imageName, publishedImage)

	t.Run("DockerIsAskedFirst", func(t *testing.T) { dockerIsAskedFirst(t, e, source) })
	t.Run("NoEngine", func(t *testing.T) { noEngine(t, e, source) })
	t.Run("RunsRestricted", func(t *testing.T) { imageRunsRestricted(t, e) })
	t.Run("NeedsNetworkWithoutLock", func(t *testing.T) { imageNeedsNetworkWithoutLock(t, e) })
	t.Run("CopiesItselfIntoAVolume", func(t *testing.T) { imageCopiesItself(t, e) })
	t.Run("AllPlatforms", func(t *testing.T) { imageHasAllPlatforms(t, e, source) })
	t.Run("Archive", func(t *testing.T) { imageArchive(t, e, source) })
	t.Run("IsPushedAndTheSame", func(t *testing.T) { imageIsPushed(t, e, elsewhere(t, source)) })
	t.Run("Kustomize", func(t *testing.T) { kustomizeRunsTheImage(t, e) })
	t.Run("Workloads", func(t *testing.T) { workloadsInTheImage(t, e) })
	t.Run("Kpt", func(t *testing.T) { kptRunsTheImage(t, e) })
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
	return e.run(t, "make", slices.Concat([]string{
		"-C", dir, "VERSION=" + stampVersion, "COMMIT=" + stampCommit, "DATE=" + stampDate, fmt.Sprint("EPOCH=", stampEpoch),
	}, args)...)
}

func (e engines) id(t *testing.T, image string) string {
	t.Helper()
	return e.must(t, "podman", "image", "inspect", "--format", "{{.Id}}", image)
}

// elsewhere is the same source in another directory, written later.
func elsewhere(t *testing.T, source string) string {
	t.Helper()
	dir, now := snapshot(t, source), time.Now()
	for _, file := range []string{"main.go", "Dockerfile", "go.mod", "internal/cli"} {
		if err := os.Chtimes(filepath.Join(dir, file), now, now); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// engineThatWorksIsTaken builds the image where a docker without its daemon is asked first.
func engineThatWorksIsTaken(t *testing.T, e engines, source string) {
	t.Helper()
	said := e.withProgram(t, "docker", "exit 1").make(t, source, "image", "IMAGE="+imageName)
	if !strings.Contains(said.stdout, "with podman\n") {
		t.Errorf("expected podman, where docker does not work:\n%s", said.stdout)
	}
	if got := e.must(t, "podman", "run", "--rm", "--network=none", imageName, "version"); !strings.Contains(got, stampVersion) {
		t.Errorf("got %q, expected the version %s", got, stampVersion)
	}
}

// dockerIsAskedFirst holds what docker is told against its documentation. Its
// daemon is not run: it wants more rights than tests have.
func dockerIsAskedFirst(t *testing.T, e engines, source string) {
	e = e.withProgram(t, "docker", `case "$*" in
"info") ;;
"buildx version") echo github.com/docker/buildx v0.1.0 ;;
*) echo "told: $*" ;;
esac`)
	e.runner = e.with("IMAGE_FLAGS=")
	for target, want := range map[string]string{
		"image":                    " -t " + imageName + " --load .",
		"image-multiarch":          " --platform linux/amd64,linux/arm64,linux/s390x,linux/ppc64le",
		"image-multiarch PUSH=yes": " -t " + imageName + " --push .",
	} {
		args := append(strings.Fields(target), "IMAGE="+imageName)
		if target == "image" {
			args = append(args, "PUSH=")
		}
		said := e.make(t, source, args...)
		if !strings.Contains(said.stdout, "told: buildx build --provenance=false") || !strings.Contains(said.stdout, want) ||
			!strings.Contains(said.stdout, " --build-arg VERSION="+stampVersion+" ") {
			t.Errorf("%s: docker was not told%s:\n%s", target, want, said.stdout)
		}
	}
}

// withProgram puts a script first on the PATH.
func (e engines) withProgram(t *testing.T, name, script string) engines {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	e.runner = e.with("PATH=" + dir + string(os.PathListSeparator) + e.lookup("PATH"))
	return e
}

func noEngine(t *testing.T, e engines, source string) {
	got := e.tryMake(t, source, "image", "ENGINE=nosuch")
	if got.status == 0 || !strings.Contains(got.stderr, "no engine works here, looked for nosuch") {
		t.Errorf("status %d, expected a failure in clear words\n%s", got.status, got.stderr)
	}
}
