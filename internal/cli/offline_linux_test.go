package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// noSockets makes a child die of the first socket that it opens.
func noSockets(child *exec.Cmd) {
	child.Env = append(child.Env, fenced+"="+strings.Join(append([]string{child.Path}, child.Args[1:]...), "\n"))
	child.Path, child.Args = os.Args[0], os.Args[:1]
}

// notPermitted is the status of a child that may not be fenced in.
const notPermitted = 97

// becomeFenced forbids this process sockets, and makes it another program.
func becomeFenced(args []string) {
	if err := forbidSockets(); err != nil {
		os.Exit(notPermitted)
	}
	fmt.Fprintln(os.Stderr, syscall.Exec(args[0], args, os.Environ()))
	os.Exit(notPermitted)
}

// forbidSockets has the kernel kill this process when any of its threads calls
// socket(2), for ever (seccomp(2)).
func forbidSockets() error {
	const (
		setNoNewPrivs             = 38 // prctl
		setModeFilter, allThreads = 1, 1
		killProcess, allow        = 0x80000000, 0x7fff0000
	)
	seccomp, known := map[string]uintptr{"amd64": 317, "arm64": 277, "riscv64": 277, "ppc64le": 358, "s390x": 348}[runtime.GOARCH]
	if !known {
		return errors.ErrUnsupported
	}
	filter := []syscall.SockFilter{
		{Code: syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS},                                // the number of the call
		{Code: syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K, Jf: 1, K: syscall.SYS_SOCKET}, // is it socket?
		{Code: syscall.BPF_RET | syscall.BPF_K, K: killProcess},
		{Code: syscall.BPF_RET | syscall.BPF_K, K: allow},
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread() // both calls are of one thread, and the second takes the others along
	defer runtime.UnlockOSThread()
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, setNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	if _, _, errno := syscall.RawSyscall(seccomp, setModeFilter, allThreads, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return errno
	}
	return nil
}

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
	for name, within := range map[string]func(*exec.Cmd){
		"NoSockets": noSockets,
		"NoInterfaces": func(child *exec.Cmd) {
			child.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for mode, want := range map[string]bool{"Require": true, "Prefer": true, "Ignore": false} {
				child := goldenarch(t, "render", l.dir, "--lock", mode, "--workload-architectures=amd64", "--registry-insecure", l.registry.Host(), "--registry-retries=0")
				var out, errs bytes.Buffer
				child.Stdout, child.Stderr = &out, &errs
				within(child)
				err := child.Run()
				exited, isExit := errors.AsType[*exec.ExitError](err)
				if err != nil && !isExit || isExit && exited.ExitCode() == notPermitted {
					t.Logf("%s is not permitted here: %v", name, err)
					return
				}
				permitted[name] = true
				rendered := strings.Contains(out.String(), "dict.architectures")
				if (err == nil && rendered) != want {
					t.Errorf("--lock %s: want success: %v, got %v\n%s", mode, want, err, errs.String())
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
