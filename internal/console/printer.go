package console

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
)

// program begins each message that is not a finding.
const program = "goldenarch: "

// Printer shows what a run has to say.
type Printer struct {
	out, err       *stream
	text, messages *lines
}

// New returns a printer to the standard output and the standard error of a run.
func New(out, err io.Writer) *Printer {
	p := &Printer{out: &stream{to: out}, err: &stream{to: err}}
	p.text = &lines{to: p.out, safe: SafeLines}
	p.messages = &lines{to: p.err, safe: SafeLines}
	return p
}

// Report returns standard output for a report in a format. A format that is not a product
// for programs is a text.
func (p *Printer) Report(format string) io.Writer {
	switch format {
	case "json", "sarif", "yaml", "github":
		return p.Product()
	default:
		return p.Text()
	}
}

// Product returns standard output for what programs read: YAML, JSON, SARIF, workflow commands, diffs. The
// bytes stay. Who writes JSON escapes it with [SafeJSON], and who writes workflow commands each text in them.
func (p *Printer) Product() io.Writer { return p.out }

// Text returns standard output for what people read. It shows whole lines.
func (p *Printer) Text() io.Writer { return p.text }

// Messages returns standard error. It shows whole lines.
func (p *Printer) Messages() io.Writer { return p.messages }

// Message prints a line on standard error. The arguments stay within it, whatever they
// hold.
func (p *Printer) Message(format string, args ...any) {
	safe := make([]any, len(args))
	for i, arg := range args {
		safe[i] = arg
		switch arg.(type) {
		case string, error, fmt.Stringer:
			safe[i] = Escape(Redact(fmt.Sprint(arg)))
		}
	}
	p.wrapped(fmt.Sprintf(program+format+"\n", safe...))
}

// Error prints the message of an error on standard error, which may have several lines.
func (p *Printer) Error(err error) { p.wrapped(fmt.Sprintf("%s%s\n", program, err)) }

// Findings prints findings, or other whole lines, on standard error.
func (p *Printer) Findings(found fmt.Stringer) { p.wrapped(found.String()) }

// wrapped prints lines on standard error. On a terminal they fit its width.
func (p *Printer) wrapped(text string) { fmt.Fprint(p.messages, Wrap(text, widthOf(p.err.to))) }

// Flush shows lines that have no end.
func (p *Printer) Flush() {
	for _, l := range []*lines{p.text, p.messages} {
		l.flush()
	}
}

// Failed returns the first error of a write to standard output, nil if there was none. Not every
// writer of a text returns it: cobra's help does not.
func (p *Printer) Failed() error {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	return p.out.failed
}

// Stop closes both streams. It returns what the user must know about the contents of
// standard output.
func (p *Printer) Stop() string {
	p.err.stop()
	return p.out.stop()
}

// TakeLogger makes Go's standard logger print on a stream as a printer does. Libraries
// quote in their lines what a server sent, which may be the login that it got: such
// quotations are not shown. Only a program calls it, once.
func TakeLogger(to io.Writer) {
	log.SetFlags(0)
	log.SetOutput(&lines{to: to, safe: logged})
}

// logged returns a line of a library.
func logged(line string) string {
	return program + SafeLines(Quotations(line, func(string) string { return `"(not shown)"` }))
}

// Standard returns the streams of the process.
func Standard() (in *os.File, out, err io.Writer) { return os.Stdin, os.Stdout, os.Stderr }

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
	_, err := io.WriteString(l.to, EachLine(text, l.safe))
	return err
}

// errStopped is the error of a write after a signal.
var errStopped = errors.New("stopped by a signal")

// stream is a stream of a run that a signal closes. The last message of the
// process then describes everything that it wrote.
type stream struct {
	to io.Writer

	mu      sync.Mutex
	begun   bool // a write has begun, and may have ended
	writing int  // how many writes have not returned
	stopped bool
	failed  error // of the first write that failed
}

// Write implements [io.Writer]. After a stop it writes nothing.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	stopped := s.stopped
	if !stopped {
		s.begun = true
		s.writing++
	}
	s.mu.Unlock() // the write may block forever if nobody reads the stream
	if stopped {
		return 0, errStopped
	}
	n, err := s.to.Write(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing--
	s.failed = cmp.Or(s.failed, err)
	return n, err
}

// stop closes the stream and returns what the user must know about its contents.
func (s *stream) stop() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	switch {
	case !s.begun:
		return "nothing was written"
	case s.writing > 0:
		return "the output is not complete"
	default:
		return "the output may not be complete"
	}
}
