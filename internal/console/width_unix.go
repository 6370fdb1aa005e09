//go:build unix

package console

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth returns what a terminal says about its width, 0 if it says nothing.
func terminalWidth(terminal *os.File) int {
	size, err := unix.IoctlGetWinsize(int(terminal.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
