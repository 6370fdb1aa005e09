//go:build unix

package credential

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// killWhole makes the end of a command's context also end the processes that the command
// has started: a helper is often a script.
func killWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
