package e2e

import (
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// engines are podman and buildah with a store and temporary files of their own,
// so that the tests neither see nor leave anything of containers on the machine.
type engines struct {
	runner

	dir string
}

// ways are how containers may run on a machine, the best first. Inside of a
// container limits cannot be raised and there may be no network of podman's own;
// crun does not know the cgroups of a machine that has both versions, runc cannot
// do without any; and overlay does not work on top of overlay.
var ways = []struct{ name, containers, engine, driver string }{
	{name: "as it is installed", driver: "overlay"},
	{name: "with runc", containers: plainLimits, engine: "runtime = \"runc\"\ncgroup_manager = \"cgroupfs\"\n", driver: "overlay"},
	{name: "with crun, without cgroups", containers: plainLimits + "cgroups = \"disabled\"\n", engine: "runtime = \"crun\"\n", driver: "overlay"},
	{name: "with runc, copied layers", containers: plainLimits, engine: "runtime = \"runc\"\ncgroup_manager = \"cgroupfs\"\n", driver: "vfs"},
	{name: "with crun, without cgroups, copied layers", containers: plainLimits + "cgroups = \"disabled\"\n", engine: "runtime = \"crun\"\n", driver: "vfs"},
}

const plainLimits = "default_ulimits = [\"nofile=1024:1024\", \"nproc=1024:1024\"]\nnetns = \"host\"\n"

// newEngines finds out how podman runs containers here. That it cannot fails the
// test: an image that nobody ran is not proven.
func newEngines(t *testing.T, r runner) engines {
	t.Helper()
	for _, name := range []string{"podman", "buildah", "busybox", "make", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("no %s, without which this test proves nothing: 'make hosts' installs it (Debian: podman, buildah, runc, busybox-static, make, git)", name)
		}
	}
	if needs := interpreter(t, program(t, "busybox")); needs != "" {
		t.Fatalf("busybox needs %s, so it does not run in an image made of it alone: 'make hosts' installs one that does (Debian: busybox-static)", needs)
	}
	var said strings.Builder
	for _, way := range ways {
		e := newStore(t, r, way.containers, way.engine, way.driver)
		got := e.hello(t)
		if got.status == 0 {
			return e
		}
		fmt.Fprintf(&said, "%s: %s\n", way.name, strings.TrimSpace(got.stderr))
	}
	t.Fatalf("podman runs no container here, without which this test proves nothing\n%s", said.String())
	return engines{}
}

// newStore makes a store that is removed when the test ends.
func newStore(t *testing.T, r runner, containers, engine, driver string) engines {
	t.Helper()
	// Not t.TempDir: its name grows too long for podman's sockets.
	dir, err := os.MkdirTemp("", "containers") // see above
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	e := engines{dir: dir, runner: r.with(
		"CONTAINERS_STORAGE_CONF="+in("storage.conf"),
		"CONTAINERS_REGISTRIES_CONF="+in("registries.conf"),
		"CONTAINERS_CONF="+in("containers.conf"),
		// buildah keeps the build's cache there.
		"TMPDIR="+in("tmp"),
	)}
	t.Cleanup(func() { e.remove(t) })
	if err := os.Mkdir(in("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	e.write(t, "storage.conf", fmt.Sprintf("[storage]\ndriver = %q\ngraphroot = %q\nrunroot = %q\n", driver, in("store"), in("run")))
	e.write(t, "registries.conf", "")
	e.write(t, "containers.conf",
		fmt.Sprintf("[containers]\n%s[engine]\n%sevents_logger = \"none\"\nlock_type = \"file\"\ntmp_dir = %q\n", containers, engine, in("libpod")))
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
		// The cache of the modules cannot be written.
		_ = exec.Command("chmod", "-R", "u+w", filepath.Join(e.dir, "tmp")).Run()
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

// shells is an image of a shell's programs and nothing else.
const shells = "localhost/busybox"

// hello makes the image of a program, and runs it.
func (e engines) hello(t *testing.T) outcome {
	t.Helper()
	if got := e.image(t, shells, map[string]string{"/bin/": program(t, "busybox")}, "--cmd", "/bin/busybox true"); got.status != 0 {
		return got
	}
	return e.run(t, "podman", "run", "--rm", shells)
}

// image makes an image of files, by where they are to be. It returns the first
// step that failed, or the last one.
func (e engines) image(t *testing.T, name string, files map[string]string, config ...string) outcome {
	t.Helper()
	from := e.run(t, "buildah", "from", "scratch")
	if from.status != 0 {
		return from
	}
	container := strings.TrimSpace(from.stdout)
	var steps [][]string
	for _, to := range slices.Sorted(maps.Keys(files)) {
		steps = append(steps, []string{"copy", "-q", container, files[to], to})
	}
	steps = append(steps, slices.Concat([]string{"config"}, config, []string{container}), []string{"commit", "-q", "--rm", container, name})
	var got outcome
	for _, step := range steps {
		if got = e.run(t, "buildah", step...); got.status != 0 {
			break
		}
	}
	return got
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

// interpreter returns what loads a program; nothing loads a static one.
func interpreter(t *testing.T, path string) string {
	t.Helper()
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return loader(t, file)
}

func loader(t *testing.T, file *elf.File) string {
	t.Helper()
	for _, segment := range file.Progs {
		if segment.Type != elf.PT_INTERP {
			continue
		}
		name := make([]byte, segment.Filesz)
		if _, err := segment.ReadAt(name, 0); err != nil {
			t.Fatal(err)
		}
		return strings.TrimRight(string(name), "\x00")
	}
	return ""
}
