package console

import (
	"os"
	"strconv"
)

// widthOf returns the width of a terminal in characters, 0 for what is no terminal: the
// lines of files and of other programs stay whole. COLUMNS counts before what the terminal
// says, as in the tools of GNU.
func widthOf(stream any) int {
	if !IsTerminal(stream) {
		return 0
	}
	const narrowest = 20 // below that, more is broken than shown
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, narrowest)
	}
	if file, is := stream.(*os.File); is {
		if n := terminalWidth(file); n > 0 {
			return max(n, narrowest)
		}
	}
	return statusWidth + 1
}

// Width returns the width of standard output in characters, 0 if it is no terminal.
func (p *Printer) Width() int { return widthOf(p.out.to) }
