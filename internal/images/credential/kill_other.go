//go:build !unix

package credential

import "os/exec"

// killWhole does nothing: this system only kills the command itself, which needs no setup.
func killWhole(*exec.Cmd) {}
