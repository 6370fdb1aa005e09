package console

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"
)

// TestOutputStops: what was said when the process stopped stays true.
func TestOutputStops(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		writes int
		want   string
	}{
		{"before the first write", 0, "nothing was written"},
		{"between two writes", 1, "the output may not be complete"},
	} {
		var to bytes.Buffer
		out := &stream{to: &to}
		for range tc.writes {
			if _, err := out.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		if got := out.stop(); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
		if _, err := out.Write([]byte("y")); !errors.Is(err, errStopped) || to.Len() != tc.writes {
			t.Errorf("%s: nothing is written any more: %v, %q", tc.reason, err, to.String())
		}
	}
}

// hostile has a line end, a command of each CI system, an escape sequence and a login.
const hostile = "x\n::error::a\r\x1b[2J ##[group]b ##vso[task.complete]c https://u:p@h/"

// TestMessages: whatever an argument holds, a message is one line that commands nobody.
func TestMessages(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	p := New(&out, &errs)
	p.Message("wrote %s", hostile)
	p.Message("%s and %d of %s", errors.New(hostile), 3, bytes.NewBufferString(hostile))
	p.Error(errors.New("first\n ::error::second"))
	p.Findings(bytes.NewBufferString("error GA001 x\n"))
	const shown = `x\n::error::a\r\x1b[2J \x23#[group]b \x23#vso[task.complete]c https://xxxxx@h/`
	want := "goldenarch: wrote " + shown + "\ngoldenarch: " + shown + " and 3 of " + shown +
		"\ngoldenarch: first\n \\x3a:error::second\nerror GA001 x\n"
	if errs.String() != want || out.Len() > 0 {
		t.Errorf("want\n%s\ngot\n%s%s", want, errs.String(), out.String())
	}
}

// TestLinesInParts: a command does not hide between two writes.
func TestLinesInParts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"##[group]a\nb\n", "a ##vso[task.complete]\n", "a\n ::error::b\n::warning::c", "\x1b[2J\n"} {
		var want string
		for size := range len(text) {
			var out, errs bytes.Buffer
			p := New(&out, &errs)
			for i := 0; i < len(text); i += size + 1 {
				fmt.Fprint(p.Text(), text[i:min(len(text), i+size+1)])
				fmt.Fprint(p.Messages(), text[i:min(len(text), i+size+1)])
			}
			p.Flush()
			if want == "" {
				want = out.String()
			}
			if got := out.String(); got != want || errs.String() != want || strings.Contains(got, "##") || strings.Contains("\n"+got, "\n::") ||
				strings.ContainsAny(got, "\x1b") || strings.Count(got, "\n") != strings.Count(text, "\n") {
				t.Errorf("%q in parts of %d: %q", text, size+1, got)
			}
		}
	}
}

// TestReport: products keep their bytes, and texts do not.
func TestReport(t *testing.T) {
	t.Parallel()
	const text = "::error file=a::b ##[group]\n::set-output name=a::b\n"
	for format, want := range map[string]string{
		"json": text, "sarif": text, "yaml": text, "github": text,
		"text":  "\\x3a:error file=a::b \\x23#[group]\n\\x3a:set-output name=a::b\n",
		"junit": "\\x3a:error file=a::b \\x23#[group]\n\\x3a:set-output name=a::b\n",
	} {
		var out bytes.Buffer
		if _, err := fmt.Fprint(New(&out, &out).Report(format), text); err != nil || out.String() != want {
			t.Errorf("%s: want\n%s\ngot\n%s%v", format, want, out.String(), err)
		}
	}
}

// TestTakeLogger: what a library logs passes the printer, without what it quotes.
func TestTakeLogger(t *testing.T) {
	before, flags := log.Writer(), log.Flags()
	defer func() {
		log.SetOutput(before)
		log.SetFlags(flags)
	}()
	var errs bytes.Buffer
	TakeLogger(&errs)
	log.Printf("Unsolicited response received on idle HTTP channel starting with %q; err=%v", "Basic \"dTpw\" secret", nil)
	log.Print("a \x1b[2J##[group] `secret` \"secret")
	const want = "goldenarch: Unsolicited response received on idle HTTP channel starting with \"(not shown)\"; err=<nil>\n" +
		"goldenarch: a \\x1b[2J\\x23#[group] \"(not shown)\" \"(not shown)\"\n"
	if got := errs.String(); got != want {
		t.Errorf("want\n%s\ngot\n%s", want, got)
	}
}
