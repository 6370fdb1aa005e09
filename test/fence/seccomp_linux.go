package main

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

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
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]} //nolint:gosec // four
	// Both calls are of one thread, and the second takes the others along.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, setNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	pointer := unsafe.Pointer(&program) //nolint:gosec // as the call wants it
	if _, _, errno := syscall.RawSyscall(seccomp, setModeFilter, allThreads, uintptr(pointer)); errno != 0 {
		return errno
	}
	return nil
}

// become makes this process another program.
func become(args []string) error { return syscall.Exec(args[0], args, os.Environ()) } //nolint:gosec // what it is for
