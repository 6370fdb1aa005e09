// Command launch runs a program and writes to its file descriptor 3 what that
// took: nanoseconds of wall and of CPU time, and bytes of memory at most.
//
// Linux counts in a process's maximum what the process that started it had in
// memory (exec_mmap in fs/exec.c keeps the mark of the memory that it replaces),
// so a large program would measure itself. This one is as small as it can be:
// smaller than what it measures.
package main

import (
	"os"
	"strconv"
	"syscall"
	"time"
)

func main() {
	out := os.NewFile(3, "costs")
	syscall.CloseOnExec(3)
	began := time.Now()
	process, err := os.StartProcess(os.Args[1], os.Args[1:], &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}}) //nolint:gosec // what it is for
	if err != nil {
		end(err)
	}
	state, err := process.Wait()
	if err != nil {
		end(err)
	}
	wall := time.Since(began)
	numbers := []int64{int64(wall), int64(state.UserTime() + state.SystemTime()), memoryOf(state)}
	var line []byte
	for _, number := range numbers {
		line = append(strconv.AppendInt(line, number, 10), ' ')
	}
	if _, err := out.Write(line); err != nil {
		end(err)
	}
	os.Exit(state.ExitCode())
}

func end(err error) {
	_, _ = os.Stderr.WriteString("launch: " + err.Error() + "\n")
	os.Exit(1)
}
