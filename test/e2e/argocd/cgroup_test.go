package argocd

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// memoryGroup is a control group with a limit on memory, as that of a container.
type memoryGroup struct {
	dir         string
	limit, kill string // the files of the limit, and of the count of killed processes
}

// newMemoryGroup makes a group of either version of control groups. Not every machine lets
// the tests do so: then it reports false.
func newMemoryGroup(t *testing.T, bytes int64) (memoryGroup, bool) {
	t.Helper()
	name := fmt.Sprintf("goldenarch-test-%d", os.Getpid())
	for _, g := range []memoryGroup{
		{"/sys/fs/cgroup/memory/" + name, "memory.limit_in_bytes", "memory.oom_control"},
		{"/sys/fs/cgroup/" + name, "memory.max", "memory.events"},
	} {
		if _, err := os.Stat(filepath.Dir(g.dir)); err != nil || os.Mkdir(g.dir, 0o755) != nil {
			continue
		}
		if os.WriteFile(filepath.Join(g.dir, g.limit), []byte(strconv.FormatInt(bytes, 10)), 0o600) == nil {
			t.Cleanup(func() { g.remove(t) })
			return g, true
		}
		_ = os.Remove(g.dir) // a file system without control groups has none
	}
	return memoryGroup{}, false
}

// remove removes the group once the killed processes have left it.
func (g memoryGroup) remove(t *testing.T) {
	t.Helper()
	var err error
	for range 400 {
		if err = os.Remove(g.dir); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("remove the control group: %v", err)
}

// add puts a process into the group, and with it those that it starts from now on.
func (g memoryGroup) add(t *testing.T, pid int) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// killed returns how many processes the kernel killed because of the limit.
func (g memoryGroup) killed(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(g.dir, g.kill))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if number, is := strings.CutPrefix(line, "oom_kill "); is {
			return strings.TrimSpace(number)
		}
	}
	t.Fatalf("the kernel does not count what it kills:\n%s", data)
	return ""
}

// serverOf returns the process of Argo CD's server that has its sockets in a directory.
func serverOf(t *testing.T, sockets string) int {
	t.Helper()
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range environments {
		data, _ := os.ReadFile(file) // processes end
		target, _ := os.Readlink(filepath.Join(filepath.Dir(file), "exe"))
		if filepath.Base(target) == "argocd-cmp-server" && strings.Contains(string(data)+"\x00", socketsVariable+"="+sockets+"\x00") {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatalf("no server has its sockets in %s", sockets)
	return 0
}
