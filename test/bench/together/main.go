//go:build linux

// Command together runs a program as launch does, and counts the processes that it starts,
// too: the processor time of all, and the sum of the most memory that each had. The file of a
// program counts once.
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
	files := []*os.File{os.Stdin, os.Stdout, os.Stderr}
	process, err := os.StartProcess(os.Args[1], os.Args[1:], &os.ProcAttr{Files: files}) //nolint:gosec // what it is for
	if err != nil {
		end(err)
	}
	m := memory{processes: map[string]used{}, done: make(chan struct{})}
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

// used is what a process has in memory: at most, and now of its program and other files.
type used struct {
	peak, files int64
	program     string
}

// memory has what each process has had in memory, by its number.
type memory struct {
	mu        sync.Mutex
	processes map[string]used
	done      chan struct{}
}

// watch looks at all processes below this one until they have ended: less often the longer they
// run, since each look takes time from them.
func (m *memory) watch() {
	const shortest, part = 2 * time.Millisecond, 50
	for began := time.Now(); ; {
		select {
		case <-m.done:
			return
		case <-time.After(max(shortest, time.Since(began)/part)):
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
		for child := range strings.FieldsSeq(string(children)) {
			if now := usedBy(child); now.peak > 0 {
				m.processes[child] = now
			}
			m.look(child)
		}
	}
}

// usedBy returns what a process has; nothing if it has ended.
func usedBy(pid string) used {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return used{}
	}
	of := func(field string) int64 {
		_, rest, _ := strings.Cut(string(status), "\n"+field+":")
		kilobytes, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64) // the kernel writes a number
		return kilobytes << 10
	}
	program, _ := os.Readlink("/proc/" + pid + "/exe") // as above
	return used{peak: of("VmHWM"), files: of("RssFile"), program: program}
}

// sum returns the memory of all. Processes of one program share its file.
func (m *memory) sum() int64 {
	close(m.done)
	m.mu.Lock()
	defer m.mu.Unlock()
	total, shared := int64(0), map[string]int64{}
	for _, one := range m.processes {
		total += one.peak - one.files
		shared[one.program] = max(shared[one.program], one.files)
	}
	for _, files := range shared {
		total += files
	}
	return total
}
