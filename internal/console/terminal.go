package console

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !isNull(info)
}

// isNull reports whether a file is /dev/null, which hosts without an input pass.
func isNull(info os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

// OnTerminal reports whether standard output is a terminal: a person reads it there, and
// no program.
func (p *Printer) OnTerminal() bool { return IsTerminal(p.out.to) }

// Colors reports whether standard output is a terminal that shows colors.
func (p *Printer) Colors() bool {
	return p.OnTerminal() && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// Status returns the line of the progress on standard error, or nil if standard error is
// not a terminal that can show one.
func (p *Printer) Status() *Status {
	if !IsTerminal(p.err.to) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	s := NewStatus(p.err)
	s.width = min(s.width, widthOf(p.err.to)-1)
	return s
}

// Status is a line of a terminal that changes in place. Its callers take turns.
type Status struct {
	to    io.Writer
	width int // of the longest line
	shown string
}

// statusWidth is the length of the longest line that a terminal shows which does not say its
// width.
const statusWidth = 79

// NewStatus returns a line of a terminal.
func NewStatus(terminal io.Writer) *Status { return &Status{to: terminal, width: statusWidth} }

// Show replaces the line. It cuts a text that is too long.
func (s *Status) Show(text string) {
	text = SafeLine(text)
	if runes := []rune(text); len(runes) > s.width {
		text = string(runes[:s.width-1]) + "…"
	}
	if text == s.shown {
		return
	}
	rest := max(0, utf8.RuneCountInString(s.shown)-utf8.RuneCountInString(text))
	fmt.Fprint(s.to, "\r"+text+strings.Repeat(" ", rest))
	s.shown = text
}

// Clear removes the line.
func (s *Status) Clear() {
	if s.shown != "" {
		fmt.Fprint(s.to, "\r"+strings.Repeat(" ", utf8.RuneCountInString(s.shown))+"\r")
		s.shown = ""
	}
}

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
	if file, ok := stream.(*os.File); ok {
		if n := terminalWidth(file); n > 0 {
			return max(n, narrowest)
		}
	}
	return statusWidth + 1
}

// Width returns the width of standard output in characters, 0 if it is no terminal.
func (p *Printer) Width() int { return widthOf(p.out.to) }
