package argocd

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// restrictions are those of the example's containers.
var restrictions = []string{
	"--network=none", "--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--security-opt=no-new-privileges",
	"--user=" + strconv.Itoa(argoUser),
}

// plainContainers is what lets podman run inside of a container, where limits
// cannot be raised and crun does not know the cgroups.
const plainContainers = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`

// pod is the repo-server's pod of the example: a root with goldenarch alone, and
// volumes.
type pod struct {
	dir string
	env []string
}

// newPod finds out how podman runs containers here. That it cannot fails the test.
func newPod(t *testing.T) pod {
	t.Helper()
	if _, err := exec.LookPath("podman"); err != nil {
		t.Fatal("no podman, without which this test proves nothing: 'make hosts' installs it (Debian: podman, runc)")
	}
	// Not t.TempDir: its name grows too long for sockets.
	dir, err := os.MkdirTemp("", "pod") // as above
	if err != nil {
		t.Fatal(err)
	}
	p := pod{dir: dir, env: os.Environ()}
	t.Cleanup(func() { p.remove(t) })
	p.write(t, "storage.conf", "[storage]\ndriver = \"vfs\"\ngraphroot = \""+dir+"/store\"\nrunroot = \""+dir+"/run\"\n")
	p.write(t, "containers.conf", plainContainers)
	p.env = append(p.env, "CONTAINERS_STORAGE_CONF="+dir+"/storage.conf")
	// What the image has, and where the example mounts something.
	for _, name := range []string{
		"root/usr/local/bin", "root/tmp", "root/goldenarch", "root/var/run/argocd",
		"root/home/argocd/cmp-server/config", "root/home/argocd/cmp-server/plugins",
	} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.write(t, "root/home/argocd/cmp-server/config/plugin.yaml", "")
	for _, name := range []string{"goldenarch", "plugins", "tmp"} {
		volume := filepath.Join(dir, name)
		if err := os.Mkdir(volume, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(volume, 0o777); err != nil { // as an emptyDir
			t.Fatal(err)
		}
	}
	p.copy(t, "goldenarch", "root/usr/local/bin/goldenarch")
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	asIs := p.run(t, nil, "/usr/local/bin/goldenarch", "version")
	if asIs == "" {
		return p
	}
	p.env = append(p.env, "CONTAINERS_CONF="+dir+"/containers.conf")
	if plain := p.run(t, nil, "/usr/local/bin/goldenarch", "version"); plain != "" {
		t.Fatalf("podman runs no container here, without which this test proves nothing\nas it is installed: %s\nwith runc and plain limits: %s", asIs, plain)
	}
	return p
}

func (p pod) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (p pod) copy(t *testing.T, program, to string) {
	t.Helper()
	// Written by another process: what a parallel test starts meanwhile cannot hold it open,
	// which would be "text file busy".
	if out, err := exec.CommandContext(t.Context(), "cp", filepath.Join(programs, program), filepath.Join(p.dir, to)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// command is a container with the example's restrictions, and more.
func (p pod) command(t *testing.T, more []string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), "podman", slices.Concat([]string{"run", "--rm"}, restrictions, more,
		[]string{"--rootfs", filepath.Join(p.dir, "root")}, args)...)
	command.Env = p.env
	return command
}

// run runs a container, and returns what it said if it failed.
func (p pod) run(t *testing.T, more []string, args ...string) string {
	t.Helper()
	out, err := p.command(t, more, args...).CombinedOutput()
	if err != nil {
		return string(out) + err.Error()
	}
	return ""
}

func (p pod) remove(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		if err := removeAll(p.dir); err != nil {
			t.Errorf("remove the pod: %v", err)
		}
		return
	}
	if out, err := exec.Command("podman", "unshare", "rm", "-rf", p.dir).CombinedOutput(); err != nil {
		t.Errorf("remove the pod: %v\n%s", err, out)
	}
}

// removeAll removes a directory to which a container that is being removed may still
// write.
func removeAll(dir string) error {
	var err error
	for range 200 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

func (p pod) volume(name, path string) string {
	return "--volume=" + filepath.Join(p.dir, name) + ":" + path
}
