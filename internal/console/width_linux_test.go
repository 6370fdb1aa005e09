package console

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// longest returns the length of the longest line that a status shows.
func (s *Status) longest() int {
	var shown strings.Builder
	(&Status{to: &shown, width: s.width}).Show(strings.Repeat("a", 2*statusWidth))
	return utf8.RuneCountInString(strings.TrimPrefix(shown.String(), "\r"))
}

// TestWidth: what is shown on a terminal fits it, and what goes to a file or to another
// program keeps its lines.
func TestWidth(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	t.Setenv("TERM", "xterm")
	for _, tc := range []struct {
		reason, columns string
		says            uint16
		to              *os.File
		want            int
	}{
		{"what the terminal says", "", 120, terminal, 120},
		{"COLUMNS counts before it", "90", 120, terminal, 90},
		{"COLUMNS is no number", "wide", 120, terminal, 120},
		{"it says nothing", "", 0, terminal, 80},
		{"a narrow terminal", "", 40, terminal, 40},
		{"too narrow for a text", "3", 0, terminal, 20},
		{"a file", "90", 0, file, 0},
	} {
		t.Setenv("COLUMNS", tc.columns)
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: tc.says}); err != nil {
			t.Fatal(err)
		}
		p := New(tc.to, tc.to)
		if got := p.Width(); got != tc.want {
			t.Errorf("%s: want %d, got %d", tc.reason, tc.want, got)
		}
		if status := p.Status(); (status == nil) != (tc.want == 0) || status != nil && status.longest() != min(tc.want-1, statusWidth) {
			t.Errorf("%s: the line of the progress does not fit %d", tc.reason, tc.want)
		}
	}
	t.Setenv("COLUMNS", "30")
	p := New(file, file)
	p.Message("%s", "one two three four five six seven eight nine ten")
	p.Flush()
	text, err := os.ReadFile(file.Name())
	if want := "goldenarch: one two three four five six seven eight nine ten\n"; err != nil || string(text) != want {
		t.Errorf("want %q in the file, got %q, %v", want, fmt.Sprint(string(text)), err)
	}
}
