//go:build linux

// Command together runs a program as launch does, and counts the processes that it starts,
// too: the processor time of all, and the sum of the most memory that each had.
//
//	together PROGRAM [ARGUMENT]...
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	out := os.NewFile(3, "costs")
	syscall.CloseOnExec(3)
	// Processes whose parent has ended become those of this one.
	const setChildSubreaper = 36
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); err != 0 {
		end(err)
	}
	began := time.Now()
	process, err := os.StartProcess(os.Args[1], os.Args[1:], &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}}) //nolint:gosec // what it is for
	if err != nil {
		end(err)
	}
	m := memory{peaks: map[string]int64{}, done: make(chan struct{})}
	go m.watch()
	var wall, cpu time.Duration
	status := 0
	for {
		var state syscall.WaitStatus
		var usage syscall.Rusage
		pid, err := syscall.Wait4(-1, &state, 0, &usage)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			break // all have ended
		}
		cpu += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		if pid == process.Pid {
			wall, status = time.Since(began), state.ExitStatus()
		}
	}
	if _, err := fmt.Fprintln(out, int64(wall), int64(cpu), m.sum()); err != nil {
		end(err)
	}
	os.Exit(status)
}

func end(err error) {
	_, _ = os.Stderr.WriteString("together: " + err.Error() + "\n")
	os.Exit(1)
}

// memory has the most memory that each process had, by its number.
type memory struct {
	mu    sync.Mutex
	peaks map[string]int64
	done  chan struct{}
}

// watch looks at all processes below this one until they have ended.
func (m *memory) watch() {
	const interval = 2 * time.Millisecond
	for {
		select {
		case <-m.done:
			return
		case <-time.After(interval):
			m.mu.Lock()
			m.look(strconv.Itoa(os.Getpid()))
			m.mu.Unlock()
		}
	}
}

// look notes the memory of the processes below one. A process that has not begun its
// program yet has that of its parent: what it has later counts.
func (m *memory) look(pid string) {
	lists, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list) // one that has ended has none
		for _, child := range strings.Fields(string(children)) {
			if peak := peakOf(child); peak > 0 {
				m.peaks[child] = peak
			}
			m.look(child)
		}
	}
}

// peakOf returns the most memory that a process had, in bytes; 0 if it has ended.
func peakOf(pid string) int64 {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\nVmHWM:")
	kilobytes, err := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

func (m *memory) sum() int64 {
	close(m.done)
	m.mu.Lock()
	defer m.mu.Unlock()
	total := int64(0)
	for _, peak := range m.peaks {
		total += peak
	}
	return total
}
