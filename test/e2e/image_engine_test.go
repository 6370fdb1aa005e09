package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// engines are podman and buildah with a store of their own, so that the tests
// neither see nor leave images on the machine.
type engines struct {
	runner

	dir string
}

// plainContainers is what lets podman run inside of a container, where limits
// cannot be raised, crun does not know the cgroups and there may be no network of
// podman's own.
const plainContainers = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
netns = "host"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`

// newEngines finds out how podman runs containers here. That it cannot fails the
// test: an image that nobody ran is not proven.
func newEngines(t *testing.T, r runner) engines {
	t.Helper()
	for _, program := range []string{"podman", "buildah", "busybox", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("no %s, without which this test proves nothing: .ci/run installs it (Debian: podman, buildah, runc, busybox-static, make)", program)
		}
	}
	// Not t.TempDir: its name grows too long for podman's sockets.
	dir, err := os.MkdirTemp("", "containers") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	e := engines{dir: dir, runner: r.with(
		"CONTAINERS_STORAGE_CONF="+filepath.Join(dir, "storage.conf"),
		"CONTAINERS_REGISTRIES_CONF="+filepath.Join(dir, "registries.conf"),
	)}
	t.Cleanup(func() { e.remove(t) })
	e.write(t, "storage.conf", fmt.Sprintf("[storage]\ndriver = \"overlay\"\ngraphroot = %q\nrunroot = %q\n",
		filepath.Join(dir, "store"), filepath.Join(dir, "run")))
	e.write(t, "registries.conf", "")
	e.write(t, "containers.conf", plainContainers)
	e.hello(t)
	asIs := e.run(t, "podman", "run", "--rm", "localhost/hello")
	if asIs.status == 0 {
		return e
	}
	e.runner = e.with("CONTAINERS_CONF=" + filepath.Join(dir, "containers.conf"))
	plain := e.run(t, "podman", "run", "--rm", "localhost/hello")
	if plain.status != 0 {
		t.Fatalf("podman runs no container here, without which this test proves nothing\nas it is installed: %s\nwith runc and plain limits: %s", asIs.stderr, plain.stderr)
	}
	return e
}

// with returns a runner with more in its environment.
func (r runner) with(variables ...string) runner {
	return runner{env: slices.Concat(r.env, variables)}
}

func (e engines) write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// must runs a program that has to succeed, and returns its standard output.
func (e engines) must(t *testing.T, program string, args ...string) string {
	t.Helper()
	got := e.run(t, program, args...)
	if got.status != 0 {
		t.Fatalf("%s %s: status %d\n%s%s", program, strings.Join(args, " "), got.status, got.stdout, got.stderr)
	}
	return strings.TrimSpace(got.stdout)
}

// remove removes the store, before the test's own directory goes. In it a user who is not root has
// files that belong to others, as seen from outside.
func (e engines) remove(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		// The driver leaves its own directory mounted, and a build that was stopped its layers.
		_ = exec.Command("umount", "--recursive", filepath.Join(e.dir, "store/overlay")).Run()
		if err := os.RemoveAll(e.dir); err != nil {
			t.Errorf("remove the images: %v", err)
		}
		return
	}
	command := exec.Command("podman", "unshare", "rm", "-rf", e.dir)
	command.Env = e.env
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("remove the images: %v\n%s", err, out)
	}
}

// hello makes an image that does nothing, successfully.
func (e engines) hello(t *testing.T) {
	t.Helper()
	e.image(t, "localhost/hello", map[string]string{"/bin/": program(t, "busybox")}, "--cmd", "/bin/busybox true")
}

// image makes an image of files, by where they are to be.
func (e engines) image(t *testing.T, name string, files map[string]string, config ...string) {
	t.Helper()
	container := e.must(t, "buildah", "from", "scratch")
	for _, to := range slices.Sorted(maps.Keys(files)) {
		e.must(t, "buildah", "copy", "-q", container, files[to], to)
	}
	e.must(t, "buildah", slices.Concat([]string{"config"}, config, []string{container})...)
	e.must(t, "buildah", "commit", "-q", "--rm", container, name)
}

func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// goBuilder makes the image that the Dockerfile builds in, from the Go of this
// machine: what is tested is then the very Dockerfile that users build, where
// no registry can be reached too.
func (e engines) goBuilder(t *testing.T) {
	t.Helper()
	root := t.TempDir()
	must := func(err error) {
		if err != nil && !errors.Is(err, fs.ErrExist) {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"bin", "tmp", "root", "etc/ssl/certs"} {
		must(os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	busybox, err := os.ReadFile(program(t, "busybox"))
	must(err)
	must(os.WriteFile(filepath.Join(root, "bin/busybox"), busybox, 0o755))
	for applet := range strings.FieldsSeq(e.must(t, "busybox", "--list")) {
		must(os.Symlink("busybox", filepath.Join(root, "bin", applet)))
	}
	certificates, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	must(err)
	must(os.WriteFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt"), certificates, 0o644))
	config := []string{"--env", "PATH=/usr/local/go/bin:/bin", "--env", "GOPATH=/go", "--env", "GOTOOLCHAIN=local"}
	// Modules come from where they come from on this machine.
	for _, name := range []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE"} {
		if value := e.must(t, "go", "env", name); value != "" {
			config = append(config, "--env", name+"="+value)
		}
	}
	files := map[string]string{"/": root, "/usr/local/go": e.must(t, "go", "env", "GOROOT")}
	e.image(t, "docker.io/library/golang:"+goVersion(t), files, config...)
}

// goVersion returns the tag of the Dockerfile's base image.
func goVersion(t *testing.T) string {
	t.Helper()
	dockerfile, err := os.ReadFile(filepath.Join(repository(t), "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(dockerfile), "\nARG GO_VERSION=")
	version, _, _ := strings.Cut(rest, "\n")
	return version
}
