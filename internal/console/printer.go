package console

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/sanitize"
	"github.com/goldenarch/goldenarch/internal/screen"
)

// program begins each message that is not a finding.
const program = "goldenarch: "

// Printer shows what a run has to say.
type Printer struct {
	out, err    *stream
	text        *lines
	messages    *lines
	annotations *lines // workflow commands of GitHub: goldenarch's own stay, and others are broken
}

// New returns a printer to the standard output and the standard error of a run.
func New(out, err io.Writer) *Printer {
	p := &Printer{out: &stream{to: out}, err: &stream{to: err}}
	p.text = &lines{to: p.out, safe: sanitize.Lines}
	p.messages = &lines{to: p.err, safe: sanitize.Lines}
	p.annotations = &lines{to: p.out, safe: annotation}
	return p
}

// Report returns standard output for a report in a format. A format that is not a product
// for programs is a text.
func (p *Printer) Report(format string) io.Writer {
	switch format {
	case "json", "sarif", "yaml":
		return p.Product()
	case "github":
		return p.annotations
	default:
		return p.Text()
	}
}

// Product returns standard output for what programs read: YAML, JSON, SARIF, diffs. The
// bytes stay. Who writes JSON escapes it with [sanitize.JSON].
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
		switch arg := arg.(type) {
		case string:
			safe[i] = sanitize.Escape(sanitize.Redact(arg))
		case error:
			safe[i] = sanitize.Escape(sanitize.Redact(arg.Error()))
		case fmt.Stringer:
			safe[i] = sanitize.Escape(sanitize.Redact(arg.String()))
		default:
			safe[i] = arg
		}
	}
	p.wrapped(fmt.Sprintf(program+format+"\n", safe...))
}

// Error prints the message of an error on standard error, which may have several lines.
func (p *Printer) Error(err error) { p.wrapped(fmt.Sprintf("%s%s\n", program, err)) }

// Findings prints findings, or other whole lines, on standard error.
func (p *Printer) Findings(found fmt.Stringer) { p.wrapped(found.String()) }

// wrapped prints lines on standard error. On a terminal they fit its width.
func (p *Printer) wrapped(text string) { fmt.Fprint(p.messages, screen.Wrap(text, widthOf(p.err.to))) }

// Flush shows lines that have no end.
func (p *Printer) Flush() {
	for _, l := range []*lines{p.text, p.annotations, p.messages} {
		l.flush()
	}
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
	return program + sanitize.Lines(quotation().ReplaceAllLiteralString(line, `"(not shown)"`))
}

// quotation matches a text as %q writes it.
var quotation = pattern.Of("\"(?:[^\"\\\\\n]|\\\\.)*\"?|`[^`\n]*`?")

// Standard returns the streams of the process.
func Standard() (in *os.File, out, err io.Writer) { return os.Stdin, os.Stdout, os.Stderr }
