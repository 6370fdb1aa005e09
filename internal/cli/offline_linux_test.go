package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// noSockets makes a child die of the first socket that it opens.
func noSockets(t *testing.T, child *exec.Cmd) {
	t.Helper()
	child.Args = append([]string{"fence", child.Path}, child.Args[1:]...)
	child.Path = filepath.Join(programDir(t), "fence")
}

// noInterfaces starts a child in a network namespace without an interface.
func noInterfaces(_ *testing.T, child *exec.Cmd) {
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
}

// fences are the ways to keep a child from the network.
var fences = map[string]func(*testing.T, *exec.Cmd){"NoSockets": noSockets, "NoInterfaces": noInterfaces}

// notPermitted is the status of a child that may not be fenced in.
const notPermitted = 97

// TestRequireOpensNoSocket runs goldenarch where it cannot, or must not, reach a
// network: where the kernel kills what opens a socket, and in a network namespace
// without an interface. That the fence is there, a run that asks registries
// shows. A system must permit one of the two, or the test fails: it would prove
// nothing. TestRequireDialsNobody is for those that are not Linux.
func TestRequireOpensNoSocket(t *testing.T) {
	t.Parallel()
	l := newLockedTree(t)
	if status, _, stderr := l.run(nil, "lock", "DIR"); status != 0 {
		t.Fatal(stderr)
	}
	connections := l.registry.Connections()
	permitted := map[string]bool{}
	for name, within := range fences {
		t.Run(name, func(t *testing.T) {
			for mode, want := range map[string]bool{"Require": true, "Prefer": true, "Ignore": false} {
				child := goldenarch(t, "render", l.dir, "--workload-architectures=amd64",
					"--set=lock="+mode, "--set=registryInsecure="+l.registry.Host(), "--set=registryRetries=0")
				var out, errs bytes.Buffer
				child.Stdout, child.Stderr = &out, &errs
				within(t, child)
				err := child.Run()
				exited, isExit := errors.AsType[*exec.ExitError](err)
				if err != nil && !isExit || isExit && exited.ExitCode() == notPermitted {
					t.Logf("%s is not permitted here: %v", name, err)
					return
				}
				permitted[name] = true
				rendered := strings.Contains(out.String(), "dict.architectures")
				if (err == nil && rendered) != want {
					t.Errorf("--set lock=%s: want success: %v, got %v\n%s", mode, want, err, errs.String())
				}
			}
		})
	}
	if len(permitted) == 0 {
		t.Error("this system permits neither seccomp filters nor network namespaces: run the test where it does")
	}
	if l.registry.Connections() != connections {
		t.Error("the registry was asked")
	}
}
