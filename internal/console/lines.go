package console

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// lines makes each line safe before it writes it. A line that comes in parts is written
// when it is whole: a command could otherwise hide between two parts.
type lines struct {
	to   io.Writer
	safe func(line string) string

	mu   sync.Mutex
	rest []byte // of a line without an end
}

// Write implements [io.Writer].
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	end := bytes.LastIndexByte(p, '\n') + 1
	if end == 0 {
		l.rest = append(l.rest, p...)
		return len(p), nil
	}
	whole := string(l.rest) + string(p[:end])
	l.rest = append(l.rest[:0], p[end:]...)
	if err := l.write(whole); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes the line that has no end.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rest) > 0 {
		_ = l.write(string(l.rest)) // the stream is closed, or the reader is gone
		l.rest = nil
	}
}

func (l *lines) write(text string) error {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, hasEnd := strings.CutSuffix(line, "\n")
		b.WriteString(l.safe(line))
		if hasEnd {
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(l.to, b.String())
	return err
}

// commands begin the workflow commands that goldenarch writes.
var commands = []string{"::error ", "::warning ", "::notice "}

// annotation makes a line of -o github safe, which may be a command of goldenarch.
func annotation(line string) string {
	for _, command := range commands {
		if rest, is := strings.CutPrefix(line, command); is {
			return command + sanitize.Lines(rest)
		}
	}
	return sanitize.Lines(line)
}
